import './console.css';
import type { PageProps } from '../../client/contract/pages.ts';

/** The console's shell: an application in the browser fills it, since only the browser has the session. */
export default function ConsolePage({ site, title }: PageProps<'console'>) {
  return (
    <div
      className="wrap console"
      data-console=""
      data-plain-password={site.plainPassword ? '' : undefined}
      data-oidc-name={site.capabilities.oidcName}
    >
      <div className="console-page">
        <h1>{title}</h1>
        <p className="notice" data-without-js="">
          The console needs JavaScript.
        </p>
        <div className="console-skeleton" data-needs-js="" aria-hidden="true">
          <span />
          <span />
          <span />
        </div>
      </div>
    </div>
  );
}
