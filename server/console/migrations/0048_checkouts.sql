-- A checkout counts once, whichever event tells of it: until now the ids were those of events.
ALTER TABLE stripe_event RENAME TO stripe_checkout;
-- When its owner cancelled the subscription: what was agreed before and is told later does not begin it again.
ALTER TABLE subscription ADD COLUMN cancelled_at BIGINT;
