/** How the development server ends when no edit of the code would help: whoever started it ends too. */
export const cannotStart = 2;
