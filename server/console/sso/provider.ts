import type { SsoType } from '../../../client/contract/console/sso.ts';

/** A person as an identity provider knows them. */
export interface Identity {
  /** Address of the provider; with `subject` it tells people apart. */
  issuer: string;
  subject: string;
  name: string;
  /** Only where the provider says that it was verified. */
  email: string | undefined;
}

/** What belongs to one sign-in: sent to the provider at its start, expected back at its end. */
export interface Attempt {
  state: string;
  nonce: string;
  /** PKCE; only its hash is sent at the start. */
  verifier: string;
  redirectUri: string;
}

/** What the provider put into the address of `/loading`. */
export interface ProviderAnswer {
  code: string;
  /** The provider's own address (RFC 9207), so that one provider's answer is not taken for another's. */
  iss: string | undefined;
}

export interface SsoProvider {
  type: SsoType;
  /** As people call it. */
  name: string;
  /** Address where a sign-in starts. @throws when the provider cannot be asked for it */
  start(attempt: Attempt): Promise<URL>;
  /** Who signed in. @throws when the answer is not the one to this attempt, or the provider cannot be reached */
  finish(attempt: Attempt, answer: ProviderAnswer): Promise<Identity>;
}

/** How long each request to a provider may take: the browser waits ten seconds in all. */
export const providerSeconds = 4;
