-- Whether the target has a checkpoint of the job: where it has none any more, rows are missing there.
ALTER TABLE data_job ADD COLUMN has_checkpoint INTEGER NOT NULL DEFAULT 0;
UPDATE data_job SET has_checkpoint = 1 WHERE type = 'SYNC' AND phase IN ('FULL', 'CATCH_UP', 'INCRE');
