import type { PageProps } from '../../client/contract/pages.ts';
import { SearchLine } from '../parts/SearchLine.tsx';
import { ResultList } from './ResultList.tsx';
import './search.css';

/** Search without JavaScript: a form and what it found. */
export default function SearchPage({ q, results }: PageProps<'search'>) {
  return (
    <div className="wrap search-page">
      <h1>Search</h1>
      <SearchLine value={q} placeholder="binlog retention" primary />
      {q && <ResultList q={q} results={results} />}
    </div>
  );
}
