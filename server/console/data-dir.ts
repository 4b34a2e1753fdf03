/** Name of the SQLite file in `DATA_DIR`. */
export const storeFile = 'console.sqlite';
/** Name of the key file beside it, if `SECRET_KEY` is not set. */
export const keyFile = 'secret.key';
