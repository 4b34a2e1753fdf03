/** Identity providers, by their `sso_type` names. */
export type SsoType = 'google' | 'github' | 'oidc';

/** Where each configured provider's sign-in starts; valid for ten minutes. */
export type SsoTypes = Partial<Record<SsoType, string>>;

/** `target` of `sso_type` with which a signed-in user connects a provider to the account. */
export const connectTarget = 'connect';

/** A person who signs in to the account through a provider. */
export interface ConnectedIdentity {
  /** The provider's address. */
  issuer: string;
  /** The provider's own id for the person. */
  subject: string;
  /** Epoch ms. */
  connectedAt: number;
}

/**
 * `data` of `/auth` with code PROFILE_NEEDED: the sign-in continues with a code sent to an address with
 * SSO_REGISTER_BIND.
 */
export interface ProfileNeeded {
  requestId: string;
  /** What the provider knows, to be completed. */
  email?: string;
}
