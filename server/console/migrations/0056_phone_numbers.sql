-- Earlier versions stored numbers as they were entered, also with the zero that is dialled within a country only.
INSERT INTO task (id, kind, task_key, payload, due_at)
  SELECT 'normalise-phones', 'normalise-phones', 'once', '', 0 FROM account WHERE phone IS NOT NULL LIMIT 1;
