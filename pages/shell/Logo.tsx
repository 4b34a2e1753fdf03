import type { Brand } from '../../client/contract/site.ts';

/** Water in a channel: three courses pass a gate (millrace) or fall through a pipe (penstock). */
function Mark({ brand }: { brand: string }) {
  if (brand === 'penstock') {
    return (
      <svg viewBox="0 0 32 32" className="logo-mark" aria-hidden="true">
        <path d="M4 8h8l10 16h6M4 14h4.7L18.9 30" fill="none" stroke="currentColor" strokeWidth="2" />
        <path d="M4 3h10.8l10 16H28" fill="none" stroke="var(--accent)" strokeWidth="2.5" />
      </svg>
    );
  }
  return (
    <svg viewBox="0 0 32 32" className="logo-mark" aria-hidden="true">
      <path d="M3 9h8c5 0 5 7 10 7h8M3 23h8c5 0 5-7 10-7" fill="none" stroke="currentColor" strokeWidth="2" />
      <path d="M3 16h26" fill="none" stroke="var(--accent)" strokeWidth="2.5" />
      <path d="M16 3v7m0 12v7" fill="none" stroke="currentColor" strokeWidth="2" />
    </svg>
  );
}

/** The brand's mark and name, linking to the home page. */
export function Logo({ brand }: { brand: Brand }) {
  return (
    <a className="logo" href="/">
      <Mark brand={brand.id} />
      {brand.name}
    </a>
  );
}
