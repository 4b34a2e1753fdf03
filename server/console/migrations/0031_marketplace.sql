-- Registration tokens that a marketplace sent with a buyer; the page knows the reference alone.
CREATE TABLE marketplace_reference (
  -- SHA-256 of the reference, base64url.
  reference_hash TEXT PRIMARY KEY,
  -- Encrypted.
  token TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX marketplace_reference_end ON marketplace_reference (expires_at);

-- Purchases that became accounts: one each, and one for each registration token.
CREATE TABLE marketplace_purchase (
  token_hash TEXT PRIMARY KEY,
  marketplace TEXT NOT NULL,
  -- The marketplace's own number of the agreement with the buyer.
  purchase TEXT NOT NULL,
  customer TEXT NOT NULL,
  product TEXT NOT NULL,
  uid TEXT NOT NULL REFERENCES account (uid) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  UNIQUE (marketplace, purchase)
);
CREATE INDEX marketplace_purchase_of_account ON marketplace_purchase (uid);
