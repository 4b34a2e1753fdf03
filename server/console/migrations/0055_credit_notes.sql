-- What was returned of paid invoices, each part with a number without gaps.
CREATE TABLE credit_note (
  id TEXT PRIMARY KEY,
  number TEXT NOT NULL UNIQUE,
  invoice_id TEXT NOT NULL REFERENCES invoice (id),
  -- The refund at the payment service; NULL if the operator returned the money in another way.
  refund TEXT UNIQUE,
  -- Cents.
  amount BIGINT NOT NULL CHECK (amount > 0),
  -- Seller, buyer, invoice and tax, JSON.
  document TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX credit_note_of_invoice ON credit_note (invoice_id);
-- The payment at the payment service that paid an invoice: a refund names it. NULL if an earlier version recorded it.
ALTER TABLE invoice ADD COLUMN paid_with TEXT;
CREATE INDEX invoice_paid_with ON invoice (paid_with);
