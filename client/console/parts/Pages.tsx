interface PagesProps {
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
}

/** Steps through a list that is longer than a page. */
export function Pages({ page, pageSize, total, onPage }: PagesProps) {
  const last = Math.ceil(total / pageSize);
  if (last <= 1) return null;
  return (
    <nav className="console-actions" aria-label="Pages">
      <button type="button" className="button" aria-disabled={page <= 1} onClick={() => page > 1 && onPage(page - 1)}>
        Newer
      </button>
      <span>
        {page} of {last}
      </span>
      <button
        type="button"
        className="button"
        aria-disabled={page >= last}
        onClick={() => page < last && onPage(page + 1)}
      >
        Older
      </button>
    </nav>
  );
}
