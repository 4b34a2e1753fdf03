import { z } from 'zod';

/** Names of this machine in an address. */
export const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** An https address; http only on this machine, where no one can eavesdrop. */
export const secureAddress = z.string().refine((text) => {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.has(url.hostname));
}, 'must be an https address; http is allowed only for this machine.');

const text = z.string().max(1024).optional();

/** The identity providers for single sign-on, each offered once its ID and secret are set. */
export const ssoSettings = {
  googleClientId: text.meta({
    shown: 'unset',
    meaning: 'OAuth client for sign-in with Google; its redirect address is `PUBLIC_URL/loading`.',
  }),
  googleClientSecret: text.meta({ shown: 'unset', meaning: 'Secret of `GOOGLE_CLIENT_ID`.' }),
  githubClientId: text.meta({
    shown: 'unset',
    meaning: 'OAuth app for sign-in with GitHub; its callback address is `PUBLIC_URL/loading`.',
  }),
  githubClientSecret: text.meta({ shown: 'unset', meaning: 'Secret of `GITHUB_CLIENT_ID`.' }),
  githubUrl: secureAddress
    .transform((url) => url.replace(/\/+$/, ''))
    .default('https://github.com')
    .meta({ shown: '`https://github.com`', meaning: 'Address of a GitHub Enterprise Server instead of github.com.' }),
  oidcIssuer: secureAddress.optional().meta({
    shown: 'unset',
    meaning:
      'Issuer of any OpenID Connect provider, exactly as the provider spells it; register the client there with the redirect address `PUBLIC_URL/loading`.',
  }),
  oidcClientId: text.meta({ shown: 'unset', meaning: 'Client at `OIDC_ISSUER`.' }),
  oidcClientSecret: text.meta({ shown: 'unset', meaning: 'Secret of `OIDC_CLIENT_ID`.' }),
  oidcName: z.string().max(40).default('single sign-on').meta({
    shown: '`single sign-on`',
    meaning: 'Name of the `OIDC_ISSUER` provider on its button and in mails.',
  }),
};

/** Groups of settings that must be set together or not at all. */
export const ssoGroups = [
  ['googleClientId', 'googleClientSecret'],
  ['githubClientId', 'githubClientSecret'],
  ['oidcIssuer', 'oidcClientId', 'oidcClientSecret'],
] as const;
