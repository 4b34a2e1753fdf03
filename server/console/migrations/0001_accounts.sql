-- Accounts and their sessions. Moments are epoch milliseconds, flags 0 or 1, money is cents.
CREATE TABLE account (
  uid TEXT PRIMARY KEY,
  username TEXT NOT NULL,
  -- As typed; `email_key` is what is compared.
  email TEXT,
  email_key TEXT UNIQUE,
  -- E.164.
  phone TEXT UNIQUE,
  email_verified INTEGER NOT NULL DEFAULT 0,
  -- argon2id in PHC form; NULL for who signs in otherwise.
  password_hash TEXT,
  company TEXT NOT NULL DEFAULT '',
  country TEXT NOT NULL DEFAULT '',
  contact_me INTEGER NOT NULL DEFAULT 0,
  -- Where the sign-up came from.
  source TEXT NOT NULL DEFAULT '',
  keyword TEXT NOT NULL DEFAULT '',
  -- Cents that are spent before money is.
  credits BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  -- Wrong passwords in a row, and until when passwords are not compared.
  wrong_passwords INTEGER NOT NULL DEFAULT 0,
  locked_until BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE session (
  id TEXT PRIMARY KEY,
  -- SHA-256 of the token, base64url: the token itself is never stored.
  token_hash TEXT NOT NULL UNIQUE,
  uid TEXT NOT NULL REFERENCES account (uid) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  browser TEXT NOT NULL
);
CREATE INDEX session_of_account ON session (uid);
