-- What the next bill of an account has taken so far: usage is taken in parts, each in a transaction of its own, which
-- also marks the records. Empty once the bill is created.
CREATE TABLE bill_sum (
  uid TEXT NOT NULL REFERENCES account (uid),
  bill_id TEXT NOT NULL,
  data_job_id TEXT NOT NULL,
  data_job_name TEXT NOT NULL,
  item TEXT NOT NULL,
  -- Of the usage, YYYY-MM-DD in UTC.
  day TEXT NOT NULL,
  units BIGINT NOT NULL,
  PRIMARY KEY (uid, data_job_id, item, day)
);
