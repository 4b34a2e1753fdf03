import { Breadcrumbs } from '../parts/Breadcrumbs.tsx';

const lists = [
  { label: 'All posts', href: '/blog' },
  { label: 'Archive', href: '/blog/archive' },
  { label: 'Tags', href: '/blog/tags' },
  { label: 'Authors', href: '/blog/authors' },
];

interface BlogHeaderProps {
  title: string;
  lede?: string | undefined;
  /** Address of the current list; its entry is marked. */
  path: string;
  /** Parent list, on a tag's or an author's page. */
  above?: { label: string; href: string };
  note?: string;
}

/** Title of a post list, with links to the other lists. */
export function BlogHeader({ title, lede, path, above, note }: BlogHeaderProps) {
  return (
    <header className="blog-header">
      {above && (
        <Breadcrumbs crumbs={[{ label: 'Blog', href: '/blog' }, above, { label: title, href: path }]} path={path} />
      )}
      <h1>{title}</h1>
      {lede && <p className="lede">{lede}</p>}
      {note && <p className="reading-meta">{note}</p>}
      <nav className="blog-lists" aria-label="Blog">
        <ul>
          {lists.map(({ label, href }) => (
            <li key={href}>
              <a href={href} aria-current={href === path ? 'page' : href === above?.href ? 'true' : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}
