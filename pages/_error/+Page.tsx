import '../../client/styles/message.css';
import type { PageProps } from '../../client/contract/pages.ts';
import { ArrowLink } from '../parts/ArrowLink.tsx';
import { SupportAddress } from '../parts/SupportAddress.tsx';

/** A sluice gate stuck askew, with water waiting behind it. */
function StuckGate() {
  return (
    <svg className="drawing" viewBox="0 0 400 160" aria-hidden="true">
      <path className="wash bare" d="M8 56H180V104H8z" />
      <path d="M8 56H180M8 104H180M220 56H392M220 104H392" />
      <path className="row run" d="M40 72h40m8 0h14m6 0h40m6 0h14M62 88h26m6 0h40m6 0h14" />
      <path
        className="paper"
        d="M180 28h8v104h-8zM212 28h8v104h-8zM172 28h56M172 132h24M204 132h24M200 28V14M188 14h24"
      />
      <path className="solid" d="m194 50 20 5-18 66-20-5z" />
      <path className="dry" d="M240 80H380" />
    </svg>
  );
}

/** Shown when rendering a page failed: status 500. */
export default function CrashedPage({ requestId, site }: PageProps<'_error'>) {
  return (
    <div className="wrap message-page">
      <div>
        <h1>This page crashed.</h1>
        <p className="lede">
          An error occurred while the server rendered this page. The server log has it under the number below.
        </p>
        <p className="message-page-actions">
          {/* biome-ignore lint/a11y/useValidAnchor: an empty reference is the page's own address, with its query */}
          <a className="button button-primary" href="">
            Try again
          </a>
          <ArrowLink label="Home page" href="/" />
        </p>
        <p className="message-page-id">
          Request <code>{requestId}</code>
          <SupportAddress brand={site.brand} />
        </p>
      </div>
      <StuckGate />
    </div>
  );
}
