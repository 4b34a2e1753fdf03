-- The number of the last report that is counted in the record of a job's process, kind of work and minute.
ALTER TABLE usage_record ADD COLUMN last_report BIGINT;
