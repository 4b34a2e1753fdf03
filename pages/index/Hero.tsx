import type { Site } from '../../client/contract/site.ts';
import { Icon } from '../../client/ui/Icon.tsx';
import { Flow } from './Flow.tsx';

const words = ['incremental', 'end-to-end', 'secure'];

/** First block of the home page: what it is, three ways in, and the live drawing. */
export function Hero({ site }: { site: Site }) {
  return (
    <div className="hero wrap">
      <div className="hero-text">
        <h1>
          <span className="visually-hidden">Real-time data replication: {words.join(', ')}</span>
          <span aria-hidden="true">
            Real-time data replication,{' '}
            <span className="words">
              {words.map((word) => (
                <span key={word}>{word}</span>
              ))}
            </span>
          </span>
        </h1>
        <p className="lede">
          {site.brand.name} loads the rows that exist, follows every change after that, compares both sides and repairs
          what differs: between more than 40 databases, queues, caches and warehouses, usually less than 3 seconds
          behind.
        </p>
        <p className="actions">
          <a className="button button-primary" href={site.cloudAppUrl} data-try-cloud>
            Try Cloud Free
          </a>
          <a className="button" href="/docs/quick/quick_start_mgr">
            Quick start
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
          <span>One job: load, follow, compare, repair.</span>
          <label className="still">
            <input type="checkbox" id="still" />
            Pause motion
          </label>
        </figcaption>
      </figure>
    </div>
  );
}
