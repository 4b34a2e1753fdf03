import type { ReactNode } from 'react';

export interface FieldFrameProps {
  /** The control's id; hint and error append `-hint` and `-error`. */
  id: string;
  label: string;
  hint?: string | undefined;
  optional?: boolean | undefined;
  error?: string | undefined;
  children: ReactNode;
}

/** Ids of the elements that describe a control: its hint and its error, if any. */
export function describedBy(id: string, { hint, error }: { hint?: unknown; error?: unknown }): string | undefined {
  return [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
}

/**
 * Label above, control, hint and error below: the only field layout. In an island, its texts may be translated before
 * React takes over.
 */
export function FieldFrame({ id, label, hint, optional, error, children }: FieldFrameProps) {
  return (
    <div className="field">
      <label htmlFor={id} suppressHydrationWarning>
        {optional ? (
          <>
            {label} <span className="field-optional">optional</span>
          </>
        ) : (
          label
        )}
      </label>
      {children}
      {hint && (
        <p className="field-hint" id={`${id}-hint`} suppressHydrationWarning>
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
