import { useEffect } from 'react';
import { keepReturnTo } from '../../account/return-to.ts';
import { session } from '../../browser/storage.ts';
import { calls } from '../../contract/calls.ts';
import { connectTarget, type SsoTypes } from '../../contract/console/sso.ts';
import { startedHere } from '../../stores/login-source.ts';
import { useCall } from '../calls.ts';
import { Empty } from '../parts/Empty.tsx';
import { Loaded } from '../parts/Loaded.tsx';

/** Connects an identity provider to the account; the operator sets up the providers. */
export default function Providers() {
  const oidcName = document.querySelector<HTMLElement>('[data-console]')?.dataset.oidcName ?? '';
  const starts = useCall<SsoTypes>(calls.ssoType, { source: '', target: connectTarget });
  const { refetch } = starts;
  // Each start address is valid for ten minutes.
  useEffect(() => {
    const timer = setInterval(() => void refetch(), 540_000);
    return () => clearInterval(timer);
  }, [refetch]);
  const names = { google: 'Google', github: 'GitHub', oidc: oidcName };
  return (
    <Loaded query={starts}>
      {({ google, github, oidc }) => {
        const offered = Object.entries({ google, github, oidc }).flatMap(([type, url]) => {
          const state = url === undefined ? null : URL.parse(url)?.searchParams.get('state');
          const name = names[type === 'google' || type === 'github' ? type : 'oidc'];
          return url !== undefined && state ? [{ type, name, url, state }] : [];
        });
        if (offered.length === 0)
          return (
            <Empty title="No provider is offered">
              <p>The operator of this site has not set one up.</p>
            </Empty>
          );
        return (
          <div className="console-actions">
            {offered.map(({ type, name, url, state }) => (
              <a
                key={type}
                className="button"
                href={url}
                onClick={() => {
                  session.set(startedHere, state);
                  keepReturnTo();
                }}
              >
                Connect {name}
              </a>
            ))}
          </div>
        );
      }}
    </Loaded>
  );
}
