-- A bill sums its records up, and those of old bills are deleted.
CREATE INDEX usage_of_bill ON usage_record (bill_id) WHERE bill_id IS NOT NULL;
CREATE INDEX usage_billed ON usage_record (day) WHERE bill_id IS NOT NULL;
