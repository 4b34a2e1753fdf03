-- Who signs in by which identity provider. A provider's own number for a person is the only thing that is compared.
CREATE TABLE identity (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  uid TEXT NOT NULL REFERENCES account (uid) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX identity_of_account ON identity (uid);

-- States that came back: each counts once.
CREATE TABLE used_sso_state (
  id TEXT PRIMARY KEY,
  expires_at BIGINT NOT NULL
);
CREATE INDEX used_sso_state_end ON used_sso_state (expires_at);

-- Confirmed identities that wait until an address is confirmed by a code.
CREATE TABLE waiting_identity (
  state_id TEXT PRIMARY KEY,
  -- The answer that asked for it.
  request_id TEXT NOT NULL,
  -- JSON, encrypted: it holds names and addresses of who may never sign up.
  identity TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX waiting_identity_end ON waiting_identity (expires_at);
