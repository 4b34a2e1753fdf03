import { useEffect, useState } from 'react';

/** How long the value must stay unchanged before it is used, in milliseconds. */
const settleMs = 500;

/** The value once it has not changed for a moment: not every keystroke should query two databases. */
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
