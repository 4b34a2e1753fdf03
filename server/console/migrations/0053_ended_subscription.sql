-- Times of subscriptions that are over: a day is billed by what there was on it, also where another one has begun since.
CREATE TABLE ended_subscription (
  uid TEXT NOT NULL REFERENCES account (uid),
  begun_at BIGINT NOT NULL,
  ended_at BIGINT NOT NULL,
  PRIMARY KEY (uid, begun_at)
);
INSERT INTO ended_subscription (uid, begun_at, ended_at)
  SELECT uid, coalesce(begun_at, period_start), period_end FROM subscription WHERE status = 'CANCELED';
