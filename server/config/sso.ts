import { z } from 'zod';

/** Names of this machine in an address. */
export const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** An https address; http on this machine alone, where nobody listens in. */
export const secureAddress = z.string().refine((text) => {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.has(url.hostname));
}, 'must be an https address; http is for this machine alone.');

const text = z.string().max(1024).optional();

/** Which identity providers sign people in, each offered once its id and secret are set. */
export const ssoSettings = {
  googleClientId: text.meta({
    shown: 'unset',
    meaning: 'OAuth client of sign-in by Google; its redirect address is `PUBLIC_URL/loading`.',
  }),
  googleClientSecret: text.meta({ shown: 'unset', meaning: 'Secret of `GOOGLE_CLIENT_ID`.' }),
  githubClientId: text.meta({
    shown: 'unset',
    meaning: 'OAuth app of sign-in by GitHub; its callback address is `PUBLIC_URL/loading`.',
  }),
  githubClientSecret: text.meta({ shown: 'unset', meaning: 'Secret of `GITHUB_CLIENT_ID`.' }),
  githubUrl: secureAddress
    .transform((url) => url.replace(/\/+$/, ''))
    .default('https://github.com')
    .meta({ shown: '`https://github.com`', meaning: 'Address of a GitHub Enterprise Server instead of github.com.' }),
  oidcIssuer: secureAddress.optional().meta({
    shown: 'unset',
    meaning:
      'Issuer of any OpenID Connect provider, exactly as it writes itself; the client is registered there with the redirect address `PUBLIC_URL/loading`.',
  }),
  oidcClientId: text.meta({ shown: 'unset', meaning: 'Client at `OIDC_ISSUER`.' }),
  oidcClientSecret: text.meta({ shown: 'unset', meaning: 'Secret of `OIDC_CLIENT_ID`.' }),
  oidcName: z.string().max(40).default('single sign-on').meta({
    shown: '`single sign-on`',
    meaning: 'What people call the provider of `OIDC_ISSUER`, on its button and in mails.',
  }),
};

/** Settings of which all are set or none. */
export const ssoGroups = [
  ['googleClientId', 'googleClientSecret'],
  ['githubClientId', 'githubClientSecret'],
  ['oidcIssuer', 'oidcClientId', 'oidcClientSecret'],
] as const;
