import { isSaid, listIn, piecesOf } from './sql-pieces.ts';

/** What a CREATE INDEX statement says and SQLite's catalogue does not. */
export interface IndexSql {
  /** The indexed expressions, in order, with their collation and without ASC and DESC. */
  parts: readonly string[];
  /** The condition of a partial index. */
  where: string | null;
}

/** Parses a CREATE INDEX statement as stored in `sqlite_schema`. */
export function indexSql(sql: string): IndexSql {
  const { items, rest } = listIn(piecesOf(sql));
  const where = rest.findIndex((piece) => piece.toUpperCase() === 'WHERE');
  return {
    parts: items.map((pieces) => withoutOrder(pieces).join('').trim()),
    where:
      where === -1
        ? null
        : rest
            .slice(where + 1)
            .join('')
            .trim(),
  };
}

/** After an operator, ASC and DESC are names of columns. */
function withoutOrder(pieces: readonly string[]): readonly string[] {
  const last = pieces.findLastIndex(isSaid);
  const before = pieces.slice(0, last).findLast(isSaid) ?? '';
  return /^(?:ASC|DESC)$/i.test(pieces[last] ?? '') && !/^[-+*/%&|<>=~]$/.test(before) ? pieces.slice(0, last) : pieces;
}
