interface SearchLineProps {
  value: string;
  placeholder?: string;
  /** True if searching is the page's purpose. */
  primary?: boolean;
}

/** A search that works without scripts: one field and its button, sent to /search. */
export function SearchLine({ value, placeholder, primary = false }: SearchLineProps) {
  return (
    <form action="/search" method="get">
      <search className="search-line">
        <label className="visually-hidden" htmlFor="q">
          Search documents and posts
        </label>
        <input
          className="input"
          id="q"
          name="q"
          type="search"
          defaultValue={value}
          placeholder={placeholder}
          maxLength={200}
          required
        />
        <button className={primary ? 'button button-primary' : 'button'} type="submit">
          Search
        </button>
      </search>
    </form>
  );
}
