-- The first account, whatever clocks say: one that is set back would make a later account the first.
CREATE TABLE installation_owner (one INTEGER PRIMARY KEY CHECK (one = 1), uid TEXT NOT NULL);
INSERT INTO installation_owner (one, uid) SELECT 1, uid FROM account ORDER BY created_at, uid LIMIT 1;
