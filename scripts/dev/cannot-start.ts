/** The development server's exit code when no code edit would help: its parent exits too. */
export const cannotStart = 2;
