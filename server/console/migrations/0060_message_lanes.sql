-- Tasks of different lanes do not wait for each other: mails, SMS, and everything else.
ALTER TABLE task ADD COLUMN lane TEXT NOT NULL DEFAULT 'others';
-- 1 goes before the others of its lane: a code that a person waits for.
ALTER TABLE task ADD COLUMN urgent INTEGER NOT NULL DEFAULT 0;
-- Failures for reasons of the lane, such as a mail server that is down; they do not count as attempts.
ALTER TABLE task ADD COLUMN lane_faults INTEGER NOT NULL DEFAULT 0;
-- Which are SMS only their payload says; these are codes, which live five minutes.
UPDATE task SET lane = 'mail' WHERE kind = 'send-message';
DROP INDEX task_due;
CREATE INDEX task_next ON task (lane, urgent DESC, due_at);
-- How often in a row a lane has failed, and until when no server tries it again.
CREATE TABLE task_lane (
  name TEXT PRIMARY KEY,
  faults INTEGER NOT NULL DEFAULT 0,
  paused_until BIGINT NOT NULL DEFAULT 0
);
INSERT INTO task_lane (name) VALUES ('mail'), ('sms'), ('others');
