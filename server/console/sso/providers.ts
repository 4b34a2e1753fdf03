import type { ConsoleConfig } from '../../config/console.ts';
import { githubProvider } from './github.ts';
import { oidcProvider } from './oidc.ts';
import type { SsoProvider } from './provider.ts';

/** The identity providers that the operator set up. */
export function ssoProviders(config: ConsoleConfig, now: () => number): SsoProvider[] {
  const { googleClientId, googleClientSecret, githubClientId, githubClientSecret } = config;
  const { oidcIssuer, oidcClientId, oidcClientSecret } = config;
  const providers: SsoProvider[] = [];
  if (googleClientId !== undefined && googleClientSecret !== undefined) {
    const google = { type: 'google', name: 'Google', issuer: 'https://accounts.google.com' } as const;
    providers.push(oidcProvider({ ...google, clientId: googleClientId, clientSecret: googleClientSecret, now }));
  }
  if (githubClientId !== undefined && githubClientSecret !== undefined) {
    const app = { clientId: githubClientId, clientSecret: githubClientSecret };
    providers.push(githubProvider({ url: config.githubUrl, ...app }));
  }
  if (oidcIssuer !== undefined && oidcClientId !== undefined && oidcClientSecret !== undefined) {
    const own = { type: 'oidc', name: config.oidcName, issuer: oidcIssuer } as const;
    providers.push(oidcProvider({ ...own, clientId: oidcClientId, clientSecret: oidcClientSecret, now }));
  }
  return providers;
}
