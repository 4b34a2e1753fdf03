-- When an account was erased whose bills stay. 0 if an earlier version did it.
ALTER TABLE account ADD COLUMN erased_at BIGINT;
UPDATE account SET erased_at = 0
  WHERE username = 'Erased account' AND email IS NULL AND phone IS NULL AND password_hash IS NULL;
