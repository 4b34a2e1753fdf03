/** Name of the SQLite file in `DATA_DIR`. */
export const storeFile = 'console.sqlite';
/** Name of the key beside it, where `SECRET_KEY` is not set. */
export const keyFile = 'secret.key';
