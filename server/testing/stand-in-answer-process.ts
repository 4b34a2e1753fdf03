// Stands in for the process that answers a question: a slow source that has no tables.
const answerMs = 100;

process.once('message', () => {
  setTimeout(() => process.send?.({ ok: true, data: [] }, () => process.exit(0)), answerMs);
});
process.on('disconnect', () => process.exit(0));
