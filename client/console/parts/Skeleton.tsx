/** Grey lines while text is loading. */
export function Skeleton({ lines }: { lines: number }) {
  return (
    <div className="console-skeleton" role="status">
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <span key={line} aria-hidden="true" />
      ))}
    </div>
  );
}
