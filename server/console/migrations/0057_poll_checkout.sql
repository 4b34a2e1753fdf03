-- A task's kind took the name of what it does: an unknown kind would be retried for ever, and the payment not seen.
UPDATE task SET kind = 'poll-checkout' WHERE kind = 'look-at-page';
