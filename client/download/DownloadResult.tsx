import { dateTime } from '../contract/dates.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import type { Download } from './products.ts';

function Line({ name, text, href }: { name: string; text: string; href?: string }) {
  if (!text) return null;
  return (
    <div className="dialog-command">
      <dt>{name}</dt>
      <dd>
        <code>{href ? <a href={href}>{text}</a> : text}</code>
        <CopyButton text={text} name={name} />
      </dd>
    </div>
  );
}

/** A download's addresses, with its checksum. */
export function DownloadResult({ download }: { download: Download }) {
  const { version, direct, wget, curl, sha256, expiresAt } = download;
  return (
    <>
      <p role="status">
        Version {version}. {expiresAt > 0 && `The addresses work until ${dateTime(new Date(expiresAt))}.`}
      </p>
      <p>
        <a className="button button-primary" href={direct} download>
          Download
        </a>
      </p>
      <dl>
        <Line name="Direct link" text={direct} href={direct} />
        <Line name="wget" text={wget} />
        <Line name="curl" text={curl} />
        <Line name="SHA-256" text={sha256} />
      </dl>
    </>
  );
}
