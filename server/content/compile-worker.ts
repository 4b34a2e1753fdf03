import { answerTasks } from './answer-tasks.ts';
import { createCompiler } from './compile.ts';

// A thread that compiles pages; its memory is freed when the start is done.
answerTasks(createCompiler);
