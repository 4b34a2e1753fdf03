-- The payment service's own number of what is charged for an invoice: tried again it is the same payment.
ALTER TABLE invoice ADD COLUMN payment_intent TEXT;
-- 1 once a charge for it was refused, or its time to be paid is over.
ALTER TABLE invoice ADD COLUMN late INTEGER NOT NULL DEFAULT 0;
