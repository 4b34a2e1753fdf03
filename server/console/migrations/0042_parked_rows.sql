-- Rows that the target refused and that wait for a person.
ALTER TABLE job_table ADD COLUMN parked BIGINT NOT NULL DEFAULT 0;
-- Which parked row an order is about; NULL for all of the table.
ALTER TABLE job_order ADD COLUMN parked_row BIGINT;
