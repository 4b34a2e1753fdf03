import type { HomeText } from '../../client/contract/page-texts.ts';
import type { Site } from '../../client/contract/site.ts';
import { Icon } from '../../client/ui/Icon.tsx';
import { TryCloud } from '../parts/TryCloud.tsx';
import { Flow } from './Flow.tsx';

/** First block of the home page: what it is, three links, and the live drawing. */
export function Hero({ text, site }: { text: HomeText['hero']; site: Site }) {
  const { claim, words, lede, link, caption } = text;
  return (
    <div className="hero wrap">
      <div className="hero-text">
        <h1>
          <span className="visually-hidden">
            {claim}: {words.join(', ')}
          </span>
          <span aria-hidden="true">
            {claim},{' '}
            <span className="words">
              {words.map((word) => (
                <span key={word}>{word}</span>
              ))}
            </span>
          </span>
        </h1>
        <p className="lede">{lede}</p>
        <p className="actions">
          <TryCloud site={site} />
          <a className="button" href={link.href}>
            {link.label}
          </a>
          <a className="hero-download" href="/login" data-download>
            <Icon name="download" />
            Download
          </a>
        </p>
      </div>
      <figure className="hero-flow figure-box">
        <Flow />
        <figcaption>
          <span>{caption}</span>
          <label className="still">
            <input type="checkbox" id="still" />
            Pause motion
          </label>
        </figcaption>
      </figure>
    </div>
  );
}
