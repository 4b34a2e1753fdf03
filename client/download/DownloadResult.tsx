import { useState } from 'react';
import { dateTime } from '../contract/dates.ts';
import type { Download } from './products.ts';

function Command({ name, text }: { name: string; text: string }) {
  const [copied, setCopied] = useState(false);
  if (!text) return null;
  const copy = () =>
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <div className="dialog-command">
      <dt>{name}</dt>
      <dd>
        <code>{text}</code>
        <button type="button" className="button" onClick={copy}>
          {copied ? 'Copied' : 'Copy'}
        </button>
      </dd>
    </div>
  );
}

/** Addresses of a download, with its check sum. */
export function DownloadResult({ download }: { download: Download }) {
  return (
    <>
      <p>
        Version {download.version}.{' '}
        {download.expiresAt > 0 && `The addresses work until ${dateTime(new Date(download.expiresAt))}.`}
      </p>
      <p>
        <a className="button button-primary" href={download.direct} download>
          Download
        </a>
      </p>
      <dl>
        <Command name="wget" text={download.wget} />
        <Command name="curl" text={download.curl} />
        <Command name="SHA-256" text={download.sha256} />
      </dl>
    </>
  );
}
