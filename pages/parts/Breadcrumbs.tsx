/** Where the page is; the last crumb is the page itself unless it links elsewhere. */
export function Breadcrumbs({ crumbs, path }: { crumbs: { label: string; href?: string }[]; path: string }) {
  if (crumbs.length === 0) return null;
  return (
    <nav className="breadcrumbs" aria-label="Breadcrumbs">
      <ol>
        {crumbs.map(({ label, href }) => (
          <li key={`${href ?? ''} ${label}`}>
            {href && href !== path ? (
              <a href={href}>{label}</a>
            ) : (
              <span aria-current={href === path ? 'page' : undefined}>{label}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
