-- How often the payment service answered an account's requests with an internal error. It answers the same for a day
-- when they are repeated under the same idempotency key, so the next try has another one.
ALTER TABLE account ADD COLUMN payment_faults INTEGER NOT NULL DEFAULT 0;
