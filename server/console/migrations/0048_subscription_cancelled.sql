-- When its owner cancelled the subscription: what was agreed before and is told later does not begin it again.
ALTER TABLE subscription ADD COLUMN cancelled_at BIGINT;
