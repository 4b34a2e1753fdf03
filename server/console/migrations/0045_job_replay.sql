-- Whether the job began again from the start at least once: its target has rows of the run before.
ALTER TABLE data_job ADD COLUMN replayed INTEGER NOT NULL DEFAULT 0;
