import '../../client/styles/message.css';
import type { PageProps } from '../../client/contract/pages.ts';
import type { Link } from '../../client/contract/reading.ts';
import { ArrowLink } from '../parts/ArrowLink.tsx';
import { SearchLine } from '../parts/SearchLine.tsx';

/** A channel that ends: the bed continues, the water does not. */
function DryCourse() {
  return (
    <svg className="drawing" viewBox="0 0 400 160" aria-hidden="true">
      <path className="wash bare" d="M8 56H192V104H8z" />
      <path d="M8 56H192M8 104H192" />
      <path className="row run" d="M24 72h40m8 0h14m20 0h26M12 88h20m30 0h40m8 0h14m20 0h20" />
      <path className="paper" d="M192 28h16v104h-16zM184 28h32M184 132h32M200 28V14M188 14h24" />
      <path className="solid" d="M197 52h6v72h-6z" />
      <path className="dry" d="M220 56H392M220 104H392" />
    </svg>
  );
}

function Nearest({ pages }: { pages: Link[] }) {
  return (
    <section className="nearest" aria-labelledby="nearest">
      <h2 id="nearest">Similar addresses</h2>
      <ul>
        {pages.map(({ label, href }) => (
          <li key={href}>
            <a href={href}>{label}</a>
            <small>{href}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The last part of an address as words to search for; empty for this page's own address. */
function wordsOf(wanted: string): string {
  const last = wanted.split('/').filter(Boolean).at(-1) ?? '';
  return last === '404'
    ? ''
    : last
        .replace(/\.\w+$|[^\p{L}\p{N}]+/gu, ' ')
        .trim()
        .slice(0, 80);
}

/** The not-found page: the address, pages with similar ones, and where to go from here. */
export default function NotFoundPage({ wanted, nearest }: PageProps<'404'>) {
  return (
    <div className="wrap message-page">
      <div>
        <h1>Page not found</h1>
        <p className="lede">
          There is no page at <code>{wanted}</code>. The address may be mistyped, or the page may have moved without
          leaving a redirect. Addresses are case-sensitive.
        </p>
        <SearchLine value={wordsOf(wanted)} />
        <p className="message-page-actions">
          <ArrowLink label="Documents" href="/docs" />
          <ArrowLink label="Blog" href="/blog" />
          <ArrowLink label="Home page" href="/" />
        </p>
        {nearest.length > 0 && <Nearest pages={nearest} />}
      </div>
      <DryCourse />
    </div>
  );
}
