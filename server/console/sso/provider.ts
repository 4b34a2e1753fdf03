import type { SsoType } from '../../../client/contract/console/sso.ts';

/** A person as known to an identity provider. */
export interface Identity {
  /** Address of the provider; together with `subject` it identifies a person. */
  issuer: string;
  subject: string;
  name: string;
  /** Only if the provider says that it was verified. */
  email: string | undefined;
}

/** The secrets of one sign-in: sent to the provider at its start, expected back at its end. */
export interface Attempt {
  state: string;
  nonce: string;
  /** PKCE; only its hash is sent at the start. */
  verifier: string;
  redirectUri: string;
}

/** The provider's parameters in the address of `/loading`. */
export interface ProviderAnswer {
  code: string;
  /** The provider's own address (RFC 9207): one provider's answer must not be taken for another's. */
  iss: string | undefined;
}

export interface SsoProvider {
  type: SsoType;
  /** Its name for people. */
  name: string;
  /** Address where a sign-in starts. @throws when the provider cannot be asked for it */
  start(attempt: Attempt): Promise<URL>;
  /** Who signed in. @throws when the answer does not belong to this attempt, or the provider cannot be reached */
  finish(attempt: Attempt, answer: ProviderAnswer): Promise<Identity>;
}

/** How long each request to a provider may take: the browser waits ten seconds in all. */
export const providerSeconds = 4;
