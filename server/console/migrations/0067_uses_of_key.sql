-- Deleting a key asks for the records of its use.
CREATE INDEX uses_of_key ON api_key_use (key_id);
