export type Tone = 'good' | 'waits' | 'bad' | 'over';

/** A state as a word with a dot; the word alone is enough. */
export function State({ tone, children }: { tone: Tone; children: string }) {
  return <span className={`console-state console-state-${tone}`}>{children}</span>;
}
