import type { ConsoleConfig } from '../../config/console.ts';
import type { SsoProvider } from './provider.ts';

/** The identity providers that the operator set up. Only they load their library: it is a tenth of a command's files. */
export async function ssoProviders(config: ConsoleConfig, now: () => number): Promise<SsoProvider[]> {
  const { googleClientId, googleClientSecret, githubClientId, githubClientSecret } = config;
  const { oidcIssuer, oidcClientId, oidcClientSecret } = config;
  const providers: SsoProvider[] = [];
  if (googleClientId !== undefined && googleClientSecret !== undefined) {
    const { oidcProvider } = await import('./oidc.ts');
    const google = { type: 'google', name: 'Google', issuer: 'https://accounts.google.com' } as const;
    providers.push(oidcProvider({ ...google, clientId: googleClientId, clientSecret: googleClientSecret, now }));
  }
  if (githubClientId !== undefined && githubClientSecret !== undefined) {
    const { githubProvider } = await import('./github.ts');
    const app = { clientId: githubClientId, clientSecret: githubClientSecret };
    providers.push(githubProvider({ url: config.githubUrl, ...app }));
  }
  if (oidcIssuer !== undefined && oidcClientId !== undefined && oidcClientSecret !== undefined) {
    const { oidcProvider } = await import('./oidc.ts');
    const own = { type: 'oidc', name: config.oidcName, issuer: oidcIssuer } as const;
    providers.push(oidcProvider({ ...own, clientId: oidcClientId, clientSecret: oidcClientSecret, now }));
  }
  return providers;
}
