-- Licences: quotes, orders with their history, and the licences they end in.
CREATE TABLE quote (
  id TEXT PRIMARY KEY,
  uid TEXT NOT NULL REFERENCES account (uid) ON DELETE CASCADE,
  installation TEXT NOT NULL,
  edition TEXT NOT NULL,
  links INTEGER NOT NULL,
  from_at BIGINT NOT NULL,
  to_at BIGINT NOT NULL,
  subtotal BIGINT NOT NULL,
  ladder_rate DOUBLE PRECISION NOT NULL,
  discount BIGINT NOT NULL,
  old_value BIGINT NOT NULL,
  old_licence TEXT,
  credits BIGINT NOT NULL,
  total BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX quote_age ON quote (expires_at);

-- One order a quote; its state changes by conditional updates alone.
CREATE TABLE licence_order (
  id TEXT PRIMARY KEY,
  quote_id TEXT NOT NULL UNIQUE,
  uid TEXT NOT NULL REFERENCES account (uid),
  idempotency_key TEXT,
  -- For the subject of a bank transfer.
  reference TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL CHECK (status IN ('WAIT_PAY', 'PAID', 'ISSUED', 'CLOSED')),
  pay_method TEXT NOT NULL CHECK (pay_method IN ('STRIPE', 'BANK_TRANSFER', 'NONE')),
  pay_session TEXT,
  installation TEXT NOT NULL,
  edition TEXT NOT NULL,
  links INTEGER NOT NULL,
  from_at BIGINT NOT NULL,
  to_at BIGINT NOT NULL,
  old_licence TEXT,
  subtotal BIGINT NOT NULL,
  discount BIGINT NOT NULL,
  old_value BIGINT NOT NULL,
  credits BIGINT NOT NULL,
  total BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  UNIQUE (uid, idempotency_key)
);
CREATE INDEX licence_order_of_account ON licence_order (uid, created_at);

CREATE TABLE licence_order_event (
  id TEXT PRIMARY KEY,
  order_id TEXT NOT NULL REFERENCES licence_order (id),
  status TEXT NOT NULL,
  -- Who did it: owner, operator, payment or clock.
  actor TEXT NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX licence_order_event_of_order ON licence_order_event (order_id, at);

CREATE TABLE licence (
  id TEXT PRIMARY KEY,
  order_id TEXT NOT NULL UNIQUE REFERENCES licence_order (id),
  uid TEXT NOT NULL REFERENCES account (uid),
  installation TEXT NOT NULL,
  edition TEXT NOT NULL,
  links INTEGER NOT NULL,
  from_at BIGINT NOT NULL,
  to_at BIGINT NOT NULL,
  -- What was given for it, in money, credits and old licence: cents.
  value BIGINT NOT NULL,
  -- The licence that took its place, and with it what was left of its value.
  replaced_by TEXT,
  auth_code TEXT NOT NULL,
  issued_at BIGINT NOT NULL
);
CREATE INDEX licence_of_installation ON licence (installation, uid, to_at);

CREATE TABLE auth_code_showing (
  id TEXT PRIMARY KEY,
  licence_id TEXT NOT NULL REFERENCES licence (id),
  uid TEXT NOT NULL,
  at BIGINT NOT NULL
);

-- The key that signs authorization codes; the private half is encrypted with the installation's secret.
CREATE TABLE licence_key (
  id TEXT PRIMARY KEY,
  public_key TEXT NOT NULL,
  private_key TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
