import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../log.ts';
import { makeFolder } from '../make-folder.ts';
import type { Send } from './message.ts';

/**
 * Writes messages as files `<time>-<id>.json` to a folder, for installations without a mail server or SMS gateway; the
 * log names only the file.
 */
export function outboxSender(folder: string, log: Log): Send {
  return async (message) => {
    makeFolder(folder, 0o700);
    const file = join(folder, `${Date.now()}-${randomUUID().slice(0, 8)}.json`);
    // Whole or not at all, since people and programs read it as soon as it exists.
    await writeFile(`${file}.part`, `${JSON.stringify(message, null, 2)}\n`, { mode: 0o600 });
    await rename(`${file}.part`, file);
    log.info({ file, channel: message.channel }, 'a message was written to the outbox');
  };
}
