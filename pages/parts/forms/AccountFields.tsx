import type { Site } from '../../../client/contract/site.ts';
import { TextField } from '../../../client/ui/Field.tsx';

/** How this deployment contacts people: by text message in China, by e-mail everywhere else. */
export function channelOf(site: Site) {
  return site.deploySite === 'china'
    ? ({ field: 'phone', label: 'Phone', code: 'SMS code', sentTo: 'your phone' } as const)
    : ({ field: 'email', label: 'E-mail', code: 'E-mail code', sentTo: 'your e-mail address' } as const);
}

/**
 * E-mail address or phone number, whichever identifies an account here.
 * @param name the call's field if it differs from `email` and `phone`
 */
export function AddressField({ site, name }: { site: Site; name?: string }) {
  const { field, label } = channelOf(site);
  if (field === 'email') {
    return <TextField name={name ?? field} label={label} type="email" autoComplete="username" inputMode="email" />;
  }
  return (
    <div className="field-pair">
      <TextField
        name="phoneAreaCode"
        label="Area code"
        type="tel"
        autoComplete="tel-country-code"
        defaultValue="+86"
        maxLength={5}
      />
      <TextField name={name ?? field} label={label} type="tel" autoComplete="tel-national" inputMode="tel" />
    </div>
  );
}

/** The six digits that verify the address, and the button that sends them. */
export function CodeField({
  site,
  purpose,
}: {
  site: Site;
  purpose: 'LOGIN' | 'REGISTER' | 'RESET_PASSWORD' | 'SSO_REGISTER_BIND';
}) {
  const { code, sentTo } = channelOf(site);
  return (
    <TextField
      name="verifyCode"
      label={code}
      hint={`Six digits, sent to ${sentTo}, valid for 5 minutes.`}
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9\u0660-\u0669\u06f0-\u06f9]{6}"
      data-pattern-text="Please enter the six digits of the code"
      maxLength={6}
      spellCheck={false}
      button={
        <button type="button" className="field-button" data-send-code={purpose}>
          Send code
        </button>
      }
    />
  );
}

/** A password that is being chosen, with the rules the backend applies. */
export function NewPasswordField({ label = 'Password' }: { label?: string }) {
  return (
    <TextField
      name="password"
      label={label}
      hint="8 to 128 characters. The 10,000 most common passwords are refused."
      type="password"
      autoComplete="new-password"
      minLength={8}
      maxLength={128}
    />
  );
}
