-- Work that is done later, once across all processes, and survives a restart.
CREATE TABLE task (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  -- Of one kind, a key is scheduled once.
  task_key TEXT NOT NULL,
  -- JSON, encrypted where it holds what must not be read from a backup.
  payload TEXT NOT NULL,
  due_at BIGINT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  -- A process that works on it has it until then; after that another one may take it.
  taken_until BIGINT NOT NULL DEFAULT 0,
  UNIQUE (kind, task_key)
);
CREATE INDEX task_due ON task (due_at);
