import { isSaid, listIn, piecesOf, unquoted } from './sql-pieces.ts';

/**
 * The expressions of a table's generated columns, by the columns' names in lower case.
 * @param sql the CREATE TABLE statement as stored in `sqlite_schema`
 */
export function generatedExpressions(sql: string): ReadonlyMap<string, string> {
  return new Map(
    listIn(piecesOf(sql)).items.flatMap((pieces): [string, string][] => {
      const name = pieces.find(isSaid);
      // Only here is AS followed by a parenthesis: in CAST, a type follows.
      const as = pieces.findIndex(
        (piece, place) => piece.toUpperCase() === 'AS' && pieces.slice(place + 1).find(isSaid) === '(',
      );
      if (name === undefined || as === -1) return [];
      const [expression = []] = listIn(pieces.slice(as)).items;
      return [[unquoted(name).toLowerCase(), expression.join('')]];
    }),
  );
}
