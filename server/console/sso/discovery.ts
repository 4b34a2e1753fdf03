/** How long a provider's metadata is trusted, and how long a provider that does not answer is left alone. */
const freshMs = 3_600_000;
const silentMs = 30_000;

/** Asks once for all concurrent callers, and again when the answer is too old. */
export function remember<Answer>(now: () => number, ask: () => Promise<Answer>): () => Promise<Answer> {
  let known: { answer: Promise<Answer>; until: number } | undefined;
  return () => {
    if (known && known.until > now()) return known.answer;
    const asked = { answer: ask(), until: now() + freshMs };
    asked.answer.catch(() => {
      asked.until = now() + silentMs; // those who await the answer get the error
    });
    known = asked;
    return asked.answer;
  };
}
