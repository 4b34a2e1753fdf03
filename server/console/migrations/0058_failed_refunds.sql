-- 1 while the refund of a note has failed: the next one of the same amount keeps the note.
ALTER TABLE credit_note ADD COLUMN refund_failed INTEGER NOT NULL DEFAULT 0;
