-- When the subscription began: its periods end on that day of the month. NULL of one of an earlier version until its next period.
ALTER TABLE subscription ADD COLUMN begun_at BIGINT;
