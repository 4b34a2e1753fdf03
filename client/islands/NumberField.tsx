import { type FormEvent, useId } from 'react';
import { figure } from '../contract/money.ts';
import { describedBy, FieldFrame } from '../ui/FieldFrame.tsx';

/** What stands in a field. */
export interface Entry {
  text: string;
  /** The browser shows what was typed, and has no number for it. */
  unreadable?: boolean;
}

/** What a field takes; an empty one counts as the least. */
export interface Bounds {
  min: number;
  max: number;
  whole?: boolean;
}

/** The number in a field; undefined where there is none within its bounds. */
export function numberOf({ text, unreadable }: Entry, { min, max, whole }: Bounds): number | undefined {
  if (unreadable) return undefined;
  const value = text === '' ? min : Number(text);
  return value >= min && value <= max && (!whole || Number.isInteger(value)) ? value : undefined;
}

interface NumberFieldProps {
  label: string;
  unit: string;
  entry: Entry;
  bounds: Bounds;
  onEntry: (entry: Entry) => void;
}

/** A field for a number, which says what it takes once something else is entered. */
export function NumberField({ label, unit, entry, bounds, onEntry }: NumberFieldProps) {
  const id = useId();
  const { min, max, whole } = bounds;
  const isWrong = numberOf(entry, bounds) === undefined;
  const note = ({ currentTarget }: FormEvent<HTMLInputElement>) =>
    onEntry({ text: currentTarget.value, unreadable: currentTarget.validity.badInput });
  return (
    <FieldFrame
      id={id}
      label={label}
      hint={unit}
      error={isWrong ? `Enter a ${whole ? 'whole ' : ''}number from ${min} to ${figure(max)}.` : undefined}
    >
      <input
        className="input"
        id={id}
        type="number"
        inputMode="decimal"
        min={min}
        max={max}
        step="any"
        value={entry.text}
        aria-describedby={describedBy(id, { hint: unit, error: isWrong })}
        aria-invalid={isWrong || undefined}
        onChange={note}
        // An entry that is no number leaves the value empty, which is no change where it was empty before.
        onInput={note}
      />
    </FieldFrame>
  );
}
