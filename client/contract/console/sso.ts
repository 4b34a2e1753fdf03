/** Identity providers, as `sso_type` names them. */
export type SsoType = 'google' | 'github' | 'oidc';

/** Where each configured provider's sign-in starts; good for ten minutes. */
export type SsoTypes = Partial<Record<SsoType, string>>;

/** `target` of `sso_type` with which a signed-in user connects a provider to the account. */
export const connectTarget = 'connect';

/** Who signs in to the account by a provider. */
export interface ConnectedIdentity {
  /** The provider's address. */
  issuer: string;
  /** The provider's own number of the person. */
  subject: string;
  /** Epoch ms. */
  connectedAt: number;
}

/** `data` of `/auth` with code PROFILE_NEEDED: a code sent to an address with SSO_REGISTER_BIND goes on from here. */
export interface ProfileNeeded {
  requestId: string;
  /** What the provider knows, to be filled in. */
  email?: string;
}
