import { answerTasks } from './answer-tasks.ts';
import { createCompiler } from './compile.ts';

// A thread that compiles pages; its memory goes back when the start is done.
answerTasks(createCompiler);
