/** A thread that compiles pages; its memory goes back when the start is done. */
import { answerTasks } from './answer-tasks.ts';
import { createCompiler } from './compile.ts';

answerTasks(createCompiler);
