import type { PageProps } from '../../client/contract/pages.ts';
import { ResultList } from './ResultList.tsx';
import './search.css';

/** Search without JavaScript: a form and what it found. */
export default function SearchPage({ q, results, problem }: PageProps<'search'>) {
  return (
    <div className="wrap search-page">
      <h1>Search</h1>
      <form action="/search" method="get">
        <search className="search-form">
          <label className="visually-hidden" htmlFor="q">
            Search documents and posts
          </label>
          <input
            id="q"
            name="q"
            type="search"
            defaultValue={q}
            placeholder="binlog retention"
            maxLength={200}
            required
          />
          <button className="button button-primary" type="submit">
            Search
          </button>
        </search>
      </form>
      {problem && (
        <p className="lede" role="alert">
          {problem} <a href={`/search?q=${encodeURIComponent(q)}`}>Try again</a>
        </p>
      )}
      {q && !problem && <ResultList q={q} results={results} />}
    </div>
  );
}
