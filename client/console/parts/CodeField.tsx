import { useEffect, useState } from 'react';
import type { Call } from '../../contract/calls.ts';
import { withLatinDigits } from '../../contract/digits.ts';
import { ask } from '../calls.ts';
import { BusyButton } from './BusyButton.tsx';
import { FormField } from './FormField.tsx';

interface CodeFieldProps {
  path: Call;
  /** Body of the call that sends the code, or a sentence if it cannot be sent yet. */
  body: () => object | string;
}

/** A field for a six-digit code, with the button that sends it, usable again after a minute. */
export function CodeField({ path, body }: CodeFieldProps) {
  const [left, setLeft] = useState(0);
  const [note, setNote] = useState('');
  const [sending, setSending] = useState(false);

  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);

  async function send() {
    const wanted = body();
    if (typeof wanted === 'string') return setNote(wanted);
    setSending(true);
    try {
      const { resendAfterMs } = await ask<{ resendAfterMs: number }>(path, wanted);
      setLeft(Math.ceil(resendAfterMs / 1000));
      setNote('The code is on its way.');
    } catch (error) {
      setNote(error instanceof Error ? error.message : String(error));
    } finally {
      setSending(false);
    }
  }

  return (
    <FormField
      name="verifyCode"
      label="Code"
      hint="Six digits, valid for 5 minutes."
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={6}
      rules={{
        validate: (code: string) => /^\d{6}$/.test(withLatinDigits(code)) || 'Please enter the six digits of the code',
      }}
      button={
        <BusyButton className="field-button" busy={left > 0 || sending} onPress={() => void send()}>
          {left > 0 ? `Again in ${left} s` : 'Send code'}
        </BusyButton>
      }
    >
      <p role="status" className="field-hint">
        {note}
      </p>
    </FormField>
  );
}
