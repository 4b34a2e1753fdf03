-- The payment service's page on which the account was last to enter a card for its subscription.
ALTER TABLE stripe_customer ADD COLUMN subscribe_session TEXT;
