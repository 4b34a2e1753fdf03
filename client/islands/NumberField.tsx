import { type FormEvent, useId } from 'react';
import { figure } from '../contract/money.ts';
import { describedBy, FieldFrame } from '../ui/FieldFrame.tsx';

/** A field's content. */
export interface Entry {
  text: string;
  /** The browser shows what was typed, and has no number for it. */
  unreadable?: boolean;
}

/** What a field accepts; an empty one counts as the minimum. */
export interface Bounds {
  min: number;
  max: number;
  whole?: boolean;
}

/** The number in a field; undefined when there is none within its limits. */
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

/** A number field that says what it accepts when something else is entered. */
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
        // An entry that is not a number leaves the value empty, which is no change if it was empty before.
        onInput={note}
      />
    </FieldFrame>
  );
}
