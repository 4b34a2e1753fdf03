import type { Site } from '../../client/contract/site.ts';

/** The button that opens the cloud app; client/bar/try-cloud.ts sends an event when it is clicked. */
export function TryCloud({ site, label = 'Try Cloud Free' }: { site: Site; label?: string }) {
  return (
    <a className="button button-primary" href={site.cloudAppUrl} data-try-cloud="">
      {label}
    </a>
  );
}
