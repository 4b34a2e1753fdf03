import type { PageProps } from '../../client/contract/pages.ts';
import { SearchLine } from '../parts/SearchLine.tsx';
import { ResultList } from './ResultList.tsx';
import './search.css';

/** Search without JavaScript: a form and its results. */
export default function SearchPage({ lede, q, results, problem }: PageProps<'search'>) {
  return (
    <div className="wrap search-page">
      <h1>Search</h1>
      {!q && <p className="lede">{lede}</p>}
      <SearchLine value={q} placeholder="binlog retention" primary />
      {problem && (
        <p className="lede" role="alert">
          {problem} <a href={`/search?q=${encodeURIComponent(q)}`}>Try again</a>
        </p>
      )}
      {q && !problem && <ResultList q={q} results={results} />}
    </div>
  );
}
