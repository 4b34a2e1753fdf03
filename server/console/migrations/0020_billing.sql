-- What jobs moved, as the data plane reports it; `id` is the reporter's own, so that a report counts once.
CREATE TABLE usage_record (
  id TEXT PRIMARY KEY,
  uid TEXT NOT NULL REFERENCES account (uid),
  -- YYYY-MM-DD in UTC.
  day TEXT NOT NULL,
  data_job_id TEXT NOT NULL,
  data_job_name TEXT NOT NULL,
  item TEXT NOT NULL CHECK (item IN ('FULL', 'INCREMENT', 'CHECK', 'REVISE', 'BUILD_STRUCT')),
  -- Rows; tables for BUILD_STRUCT.
  units BIGINT NOT NULL CHECK (units >= 0),
  bill_id TEXT
);
CREATE INDEX usage_unbilled ON usage_record (uid, day) WHERE bill_id IS NULL;

-- One bill a day and account. Cents.
CREATE TABLE bill (
  id TEXT PRIMARY KEY,
  uid TEXT NOT NULL REFERENCES account (uid),
  day TEXT NOT NULL,
  amount BIGINT NOT NULL,
  credits BIGINT NOT NULL,
  due BIGINT NOT NULL,
  invoice_id TEXT,
  created_at BIGINT NOT NULL,
  UNIQUE (uid, day)
);

CREATE TABLE bill_line (
  bill_id TEXT NOT NULL REFERENCES bill (id),
  position INTEGER NOT NULL,
  data_job_id TEXT NOT NULL,
  data_job_name TEXT NOT NULL,
  item TEXT NOT NULL,
  units BIGINT NOT NULL,
  unit_size BIGINT NOT NULL,
  unit_price BIGINT NOT NULL,
  amount BIGINT NOT NULL,
  PRIMARY KEY (bill_id, position)
);

-- Numbers without gaps: taken in the transaction that uses them.
CREATE TABLE counter (
  name TEXT PRIMARY KEY,
  value BIGINT NOT NULL
);

CREATE TABLE invoice (
  id TEXT PRIMARY KEY,
  number TEXT NOT NULL UNIQUE,
  uid TEXT NOT NULL REFERENCES account (uid),
  -- Month of a usage invoice (YYYY-MM), or the order it is for.
  month TEXT,
  order_id TEXT UNIQUE,
  status TEXT NOT NULL CHECK (status IN ('OPEN', 'PAID', 'VOID')),
  total BIGINT NOT NULL,
  -- Seller, buyer, lines and tax as they were that day, JSON.
  document TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  paid_at BIGINT,
  UNIQUE (uid, month)
);

CREATE TABLE subscription (
  id TEXT PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE REFERENCES account (uid),
  status TEXT NOT NULL CHECK (status IN ('ACTIVE', 'PAST_DUE', 'CANCELS_AT_PERIOD_END', 'CANCELED')),
  payment_method TEXT,
  period_start BIGINT NOT NULL,
  period_end BIGINT NOT NULL,
  cancel_reason TEXT
);

CREATE TABLE stripe_customer (
  uid TEXT PRIMARY KEY REFERENCES account (uid),
  customer TEXT NOT NULL UNIQUE
);

-- Events that were taken in; the same one told again changes nothing.
CREATE TABLE stripe_event (
  id TEXT PRIMARY KEY,
  received_at BIGINT NOT NULL
);
