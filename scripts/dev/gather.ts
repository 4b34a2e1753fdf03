/** Collects values until none has come for `quietMs`, then passes them on together; calls never overlap. */
export function gather<T>(quietMs: number, take: (values: T[]) => Promise<void>): (value: T) => void {
  const waiting = new Set<T>();
  let timer: NodeJS.Timeout | undefined;
  let busy = false;

  async function run(): Promise<void> {
    if (busy) return;
    busy = true;
    try {
      await take([...waiting.keys()].filter((value) => waiting.delete(value)));
    } finally {
      busy = false;
      if (waiting.size > 0) arm();
    }
  }

  function arm(): void {
    clearTimeout(timer);
    timer = setTimeout(run, quietMs);
  }

  return (value) => {
    waiting.add(value);
    arm();
  };
}
