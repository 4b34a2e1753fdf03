import { statSync } from 'node:fs';
import { z } from 'zod';
import type { Session } from './connect.ts';

const path = z.string();

/** Device and inode number of the database file: the same under whatever name, link or folder it is opened. */
export function signOf(session: Session): string {
  const [[file] = []] = session.rows(`SELECT file FROM pragma_database_list WHERE name = 'main'`);
  const { dev, ino } = statSync(path.parse(file), { bigint: true });
  return `sqlite ${dev} ${ino}`;
}
