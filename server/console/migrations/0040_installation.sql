-- This installation as the customer of a seller: one row, with the authorization code that was entered last.
CREATE TABLE installation (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id TEXT NOT NULL,
  auth_code TEXT
);
