import type { Link } from '../../client/contract/reading.ts';
import type { Site } from '../../client/contract/site.ts';

interface ClosingCallProps {
  site: Site;
  title?: string;
  lede?: string;
  /** Second way on, beside Try Cloud Free. */
  link?: Link;
}

const quickStart = { label: 'Quick start', href: '/docs/quick/quick_start_mgr' };

/** The last block of a public page: one sentence, one paragraph, two ways on. */
export function ClosingCall({
  site,
  title = 'Carry one table first.',
  lede = 'The quick start takes a MySQL table to PostgreSQL, from the account to a result that you have checked. A new account starts with credits that cover it.',
  link = quickStart,
}: ClosingCallProps) {
  return (
    <section className="closing wrap" aria-labelledby="closing">
      <div className="closing-inner">
        <h2 id="closing">{title}</h2>
        <div>
          <p className="lede">{lede}</p>
          <p className="actions">
            <a className="button button-primary" href={site.cloudAppUrl} data-try-cloud>
              Try Cloud Free
            </a>
            <a className="button" href={link.href}>
              {link.label}
            </a>
          </p>
        </div>
      </div>
    </section>
  );
}
