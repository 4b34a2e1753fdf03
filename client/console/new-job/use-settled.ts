import { useEffect, useState } from 'react';

/** How long nothing must change before the value is taken, in milliseconds. */
const settleMs = 500;

/** The value once it has not changed for a moment, so that each key does not ask two databases. */
export function useSettled<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState({ value, text });
  useEffect(() => {
    if (settled.text === text) return;
    const timer = setTimeout(() => setSettled({ value, text }), settleMs);
    return () => clearTimeout(timer);
  }, [settled, value, text]);
  return settled.value;
}
