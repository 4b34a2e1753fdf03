import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { strengthOf, strengthWords } from '../../account/form/password-strength.ts';
import { FormField } from './FormField.tsx';

/** An existing password; it can be shown while typing. */
export function PasswordField({ name, label = 'Password' }: { name: string; label?: string }) {
  const [shown, setShown] = useState(false);
  return (
    <FormField
      name={name}
      label={label}
      type={shown ? 'text' : 'password'}
      autoComplete="current-password"
      maxLength={128}
      button={<ShowButton shown={shown} onPress={() => setShown(!shown)} />}
    />
  );
}

/** A new password, with its strength. */
export function NewPasswordField({ name }: { name: string }) {
  const [shown, setShown] = useState(false);
  return (
    <FormField
      name={name}
      label="New password"
      type={shown ? 'text' : 'password'}
      autoComplete="new-password"
      hint="8 to 128 characters. The 10,000 most common passwords are refused."
      rules={{ minLength: { value: 8, message: 'New password must be at least 8 characters' } }}
      maxLength={128}
      button={<ShowButton shown={shown} onPress={() => setShown(!shown)} />}
    >
      <Strength name={name} />
    </FormField>
  );
}

function ShowButton({ shown, onPress }: { shown: boolean; onPress: () => void }) {
  return (
    <button type="button" className="field-button" aria-pressed={shown} onClick={onPress}>
      Show
    </button>
  );
}

function Strength({ name }: { name: string }) {
  const password = String(useWatch({ name }) ?? '');
  const strength = strengthOf(password);
  return (
    <p className="field-strength" hidden={password === ''}>
      <meter min={0} max={4} low={2} high={3} optimum={4} value={strength + 1} aria-label="Strength" />
      <span role="status">{password && strengthWords[strength]}</span>
    </p>
  );
}
