-- Who was given the address of which download, and when.
CREATE TABLE download (
  id TEXT PRIMARY KEY,
  uid TEXT NOT NULL,
  product_type TEXT NOT NULL,
  version_type TEXT NOT NULL,
  version TEXT NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX download_time ON download (at);
