import { resultWords, type SearchResult } from '../../client/contract/search.ts';

/** Hits with their section, heading and excerpt; an empty list says what to try. */
export function ResultList({ q, results }: { q: string; results: SearchResult[] }) {
  if (results.length === 0) {
    return (
      <p className="lede">
        Nothing was found for “{q}”. Try fewer or shorter words, or start from the <a href="/docs">documents</a>.
      </p>
    );
  }
  return (
    <>
      <p className="eyebrow">
        {resultWords(results.length)} for “{q}”
      </p>
      <ol className="results">
        {results.map((result) => (
          <li key={result.href}>
            <p className="eyebrow">{result.section}</p>
            <h2>
              <a href={result.href}>
                {result.title}
                {result.heading && ` › ${result.heading}`}
              </a>
            </h2>
            <p>
              {result.excerpt.map((piece, at) =>
                // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never move
                piece.mark ? <mark key={at}>{piece.text}</mark> : <span key={at}>{piece.text}</span>,
              )}
            </p>
          </li>
        ))}
      </ol>
    </>
  );
}
