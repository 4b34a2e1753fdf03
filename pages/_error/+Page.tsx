import '../../client/styles/message.css';
import type { PageProps } from '../../client/contract/pages.ts';

/** A gate that hangs askew; the water waits in front of it. */
function StuckGate() {
  return (
    <svg className="message-drawing" viewBox="0 0 400 160" aria-hidden="true">
      <path d="M8 40h160M8 120h160M232 40h160M232 120h160" />
      <path className="water" d="M8 56h152M8 68h156M8 80h160M8 92h156M8 104h152" />
      <path d="M176 16v128M224 16v128M168 16h64M168 144h16M216 144h16" />
      <path d="m186 44 36 8-16 76-36-8zM182 64l36 8M178 82l36 8M174 101l36 8" />
      <path className="dry" d="M240 80h144" />
    </svg>
  );
}

/** The server could not draw a page: status 500. */
export default function CrashedPage({ requestId, site }: PageProps<'_error'>) {
  return (
    <div className="wrap message-page">
      <div>
        <h1>This page crashed.</h1>
        <p className="lede">
          The server made a mistake while it drew this page. The fault is in its log under the number below; nothing
          you entered was lost.
        </p>
        <p className="message-page-actions">
          <a className="button button-primary" href="">
            Try again
          </a>
          <a className="arrow-link" href="/">
            Home page
          </a>
        </p>
        <p className="message-page-id">
          Request <code>{requestId}</code> · <a href={`mailto:${site.brand.supportEmail}`}>{site.brand.supportEmail}</a>
        </p>
      </div>
      <StuckGate />
    </div>
  );
}
