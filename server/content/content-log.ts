/** Where the loader reports what an operator may want to know; a pino log fits. */
export interface ContentLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}
