-- Data jobs and what they connect. Moments are epoch milliseconds, flags 0 or 1. Ids are numbers of the counter 'job-object'.

-- Whom the owner of the installation admitted to jobs, beside itself.
CREATE TABLE job_admission (
  uid TEXT PRIMARY KEY REFERENCES account (uid) ON DELETE CASCADE,
  admitted_at BIGINT NOT NULL
);

CREATE TABLE data_source (
  id BIGINT PRIMARY KEY,
  uid TEXT NOT NULL REFERENCES account (uid),
  instance_id TEXT NOT NULL UNIQUE,
  family TEXT NOT NULL,
  description TEXT NOT NULL,
  -- JSON in the names of the family's card, without its secrets.
  settings TEXT NOT NULL,
  -- JSON of the secrets, encrypted with the instance id as context; NULL where there are none.
  secrets TEXT,
  -- JSON: what clients of the open API gave and want to read again (region, kind of deployment).
  labels TEXT NOT NULL,
  -- JSON { at, success, sentence } of the last test.
  tested TEXT,
  practice INTEGER NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL
);
CREATE INDEX data_source_of_account ON data_source (uid);

CREATE TABLE data_job (
  id BIGINT PRIMARY KEY,
  -- Names slot, publication and mark.
  name TEXT NOT NULL UNIQUE,
  uid TEXT NOT NULL REFERENCES account (uid),
  description TEXT NOT NULL,
  type TEXT NOT NULL,
  source_id BIGINT NOT NULL REFERENCES data_source (id),
  target_id BIGINT NOT NULL REFERENCES data_source (id),
  -- JSON of the checked request that made it, and its hash, so that a repeated one is known.
  request TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  -- JSON of the tables that were selected; NULL until the first step of making it is done.
  tables TEXT,
  life_cycle TEXT NOT NULL,
  phase TEXT NOT NULL,
  status TEXT NOT NULL,
  -- What the job keeps at both sides is removed before the next start.
  starts_anew INTEGER NOT NULL DEFAULT 0,
  -- Deleted as soon as nothing runs.
  deletes_when_stopped INTEGER NOT NULL DEFAULT 0,
  -- JSON of the last fault that nothing has mended since, how many came in a row, and when it is tried again.
  fault TEXT,
  failures INTEGER NOT NULL DEFAULT 0,
  next_try_at BIGINT,
  -- JSON of the last sample.
  sample TEXT,
  sampled_at BIGINT,
  practice INTEGER NOT NULL DEFAULT 0,
  last_event BIGINT NOT NULL DEFAULT 0,
  -- Goes up with every change, so that a reader knows what is new.
  revision BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL
);
CREATE INDEX data_job_of_account ON data_job (uid);
CREATE INDEX data_job_request ON data_job (uid, request_hash);
CREATE INDEX data_job_status ON data_job (status);

-- The last report of each table.
CREATE TABLE job_table (
  job_id BIGINT NOT NULL REFERENCES data_job (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  state TEXT NOT NULL,
  copied BIGINT NOT NULL,
  estimate BIGINT NOT NULL,
  skipped INTEGER NOT NULL,
  fault TEXT,
  revision BIGINT NOT NULL,
  PRIMARY KEY (job_id, id)
);

-- Sums over stretches of `span` ms that end at `at`; those of 10 s are kept a day, those of 5 min a month.
CREATE TABLE job_sample (
  job_id BIGINT NOT NULL REFERENCES data_job (id) ON DELETE CASCADE,
  span INTEGER NOT NULL,
  at BIGINT NOT NULL,
  copied BIGINT NOT NULL,
  applied BIGINT NOT NULL,
  transactions BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  lag_ms BIGINT,
  waited_for_source_ms BIGINT NOT NULL,
  waited_for_target_ms BIGINT NOT NULL,
  position TEXT,
  retained_bytes BIGINT,
  memory_bytes BIGINT NOT NULL,
  PRIMARY KEY (job_id, span, at)
);
CREATE INDEX job_sample_age ON job_sample (span, at);

-- The newest of each job; `id` counts within the job.
CREATE TABLE job_event (
  job_id BIGINT NOT NULL REFERENCES data_job (id) ON DELETE CASCADE,
  id BIGINT NOT NULL,
  at BIGINT NOT NULL,
  level TEXT NOT NULL,
  table_name TEXT,
  sentence TEXT NOT NULL,
  PRIMARY KEY (job_id, id)
);

-- What a person asked of one table of a running job; taken up by the process that supervises.
CREATE TABLE job_order (
  id BIGINT PRIMARY KEY,
  job_id BIGINT NOT NULL REFERENCES data_job (id) ON DELETE CASCADE,
  table_id TEXT NOT NULL,
  action TEXT NOT NULL
);

-- The steps in which a job is made.
CREATE TABLE console_job (
  id BIGINT PRIMARY KEY,
  job_id BIGINT NOT NULL REFERENCES data_job (id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX console_job_state ON console_job (state);
CREATE TABLE console_task (
  id BIGINT PRIMARY KEY,
  console_job_id BIGINT NOT NULL REFERENCES console_job (id) ON DELETE CASCADE,
  step INTEGER NOT NULL,
  state TEXT NOT NULL,
  message TEXT NOT NULL DEFAULT '',
  UNIQUE (console_job_id, step)
);

-- Server processes that can run jobs.
CREATE TABLE job_worker (
  id BIGINT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  takes_jobs INTEGER NOT NULL DEFAULT 1,
  memory_percent INTEGER NOT NULL DEFAULT 100,
  -- JSON of its machine.
  facts TEXT NOT NULL,
  alerts TEXT NOT NULL DEFAULT '{}',
  seen_at BIGINT NOT NULL
);

CREATE TABLE api_key (
  id TEXT PRIMARY KEY,
  uid TEXT NOT NULL REFERENCES account (uid) ON DELETE CASCADE,
  name TEXT NOT NULL,
  access_key TEXT NOT NULL UNIQUE,
  -- SHA-256 of the secret, for the Bearer header; encrypted too, since a signature can be checked with the secret alone.
  secret_hash TEXT NOT NULL,
  secret TEXT NOT NULL,
  -- JSON lists; empty ones limit nothing.
  addresses TEXT NOT NULL,
  call_groups TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  last_used_at BIGINT,
  revoked_at BIGINT
);
CREATE INDEX api_key_of_account ON api_key (uid);

CREATE TABLE api_key_use (
  key_id TEXT NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
  at BIGINT NOT NULL,
  call TEXT NOT NULL,
  address TEXT NOT NULL,
  status INTEGER NOT NULL
);
CREATE INDEX api_key_use_age ON api_key_use (at);

-- Nonces of signed calls: each is accepted once.
CREATE TABLE used_key_nonce (
  key_id TEXT NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
  nonce TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (key_id, nonce)
);
CREATE INDEX used_key_nonce_end ON used_key_nonce (expires_at);
