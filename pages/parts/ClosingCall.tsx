import type { ClosingText } from '../../client/contract/page-texts.ts';
import type { Site } from '../../client/contract/site.ts';
import { TryCloud } from './TryCloud.tsx';

/** The last block of a public page: one sentence, one paragraph, two links. */
export function ClosingCall({ site, text = site.closing }: { site: Site; text?: ClosingText }) {
  return (
    <section className="closing wrap" aria-labelledby="closing">
      <div className="closing-inner">
        <h2 id="closing">{text.title}</h2>
        <div>
          <p className="lede">{text.lede}</p>
          <p className="actions">
            <TryCloud site={site} />
            <a className="button" href={text.link.href}>
              {text.link.label}
            </a>
          </p>
        </div>
      </div>
    </section>
  );
}
