-- Page views, kept for 90 days; addresses are truncated before they are stored.
CREATE TABLE page_view (
  id TEXT PRIMARY KEY,
  at BIGINT NOT NULL,
  day TEXT NOT NULL,
  uri TEXT NOT NULL,
  src TEXT NOT NULL,
  kw TEXT NOT NULL,
  vb_id TEXT NOT NULL,
  client_id TEXT NOT NULL,
  address TEXT NOT NULL
);
CREATE INDEX page_view_day ON page_view (day);
