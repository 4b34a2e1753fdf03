import { calculatePKCECodeChallenge } from 'openid-client';
import type { Attempt, ProviderAnswer } from './provider.ts';

/** The parameters sent to every provider at the start of a sign-in. */
export async function startParameters({ state, verifier, redirectUri }: Attempt, scope: string) {
  return {
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
}

/** The address to which the provider redirected the browser, as far as it matters. */
export function callbackUrl({ state, redirectUri }: Attempt, { code, iss }: ProviderAnswer): URL {
  const url = new URL(redirectUri);
  url.search = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) }).toString();
  return url;
}
