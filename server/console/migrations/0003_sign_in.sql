-- Key pairs that browsers encrypt passwords with; the private half is encrypted with the installation's secret.
CREATE TABLE password_key (
  kid TEXT PRIMARY KEY,
  public_key TEXT NOT NULL,
  private_key TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

-- Nonces of encrypted passwords that were used; kept until they would have expired.
CREATE TABLE used_nonce (
  nonce TEXT PRIMARY KEY,
  expires_at BIGINT NOT NULL
);

-- Verification codes: bound to one target and one purpose, stored as HMAC.
CREATE TABLE verification_code (
  id TEXT PRIMARY KEY,
  target TEXT NOT NULL,
  purpose TEXT NOT NULL,
  code_mac TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  used INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX verification_code_target ON verification_code (target, purpose, created_at);

-- Attempts in a window of time, counted before what they attempt; `key` names the limit and holds no address in plain.
CREATE TABLE attempt (
  key TEXT PRIMARY KEY,
  window_start BIGINT NOT NULL,
  count INTEGER NOT NULL
);
CREATE INDEX attempt_window ON attempt (window_start);
