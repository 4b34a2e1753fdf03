-- The page of the payment service where an open invoice can be paid, by its id there.
ALTER TABLE invoice ADD COLUMN pay_session TEXT;
