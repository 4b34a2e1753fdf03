-- Erasing an account asks each table that refers to it, and so does the check that nothing refers to it any more.
CREATE INDEX usage_of_account ON usage_record (uid);
CREATE INDEX licence_of_account ON licence (uid);
CREATE INDEX quote_of_account ON quote (uid);
