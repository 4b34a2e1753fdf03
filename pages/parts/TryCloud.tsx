import type { Site } from '../../client/contract/site.ts';

/** The button that leads to the cloud app; client/bar/try-cloud.ts sends an event of its click. */
export function TryCloud({ site, label = 'Try Cloud Free' }: { site: Site; label?: string }) {
  return (
    <a className="button button-primary" href={site.cloudAppUrl} data-try-cloud="">
      {label}
    </a>
  );
}
