/** How long what a provider says of itself is believed, and for how long one that does not answer is left alone. */
const freshMs = 3_600_000;
const silentMs = 30_000;

/** Asks once for all who want to know at the same time, and again when the answer is old. */
export function remember<Answer>(now: () => number, ask: () => Promise<Answer>): () => Promise<Answer> {
  let known: { answer: Promise<Answer>; until: number } | undefined;
  return () => {
    if (known && known.until > now()) return known.answer;
    const asked = { answer: ask(), until: now() + freshMs };
    asked.answer.catch(() => {
      asked.until = now() + silentMs; // whoever awaits the answer has the error
    });
    known = asked;
    return asked.answer;
  };
}
