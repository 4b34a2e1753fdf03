/** Tags of unknown elements alone on a line, in files that are not MDX: what is between them is read as markdown. */
import { type Dialect, lineAt } from './lines.ts';

const alone = /^ {0,3}<\/?[A-Z][\w.]*(?:\s(?:"[^"]*"|'[^']*'|[^'"<>])*)?>\s*$/;

export const components: Dialect = (lines) =>
  lines.flatMap((line) => (!line.code && alone.test(line.text) ? [lineAt(line, ''), line, lineAt(line, '')] : [line]));
