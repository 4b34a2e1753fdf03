import { element } from '../../browser/element.ts';
import { isRecord } from '../../browser/json.ts';
import { report } from '../../browser/report.ts';
import { session } from '../../browser/storage.ts';
import { call } from '../../call.ts';
import type { Call } from '../../contract/calls.ts';
import { readLoginSource, startedHere } from '../../stores/login-source.ts';

/** Spelled out: the table of all calls is loaded only with what a visitor uses. */
const ssoType: Call = '/rdp/console/api/v1/constant/sso_type';

/** Shows the identity providers that the operator has set up; a failure is only logged to the console. */
export async function showSingleSignOn(form: HTMLFormElement): Promise<void> {
  const names: Record<string, string> = { google: 'Google', github: 'GitHub', oidc: form.dataset.oidcName ?? '' };
  try {
    const answer = await call(ssoType, {
      source: session.get('source_for_cc') ?? '',
      target: readLoginSource() ?? '',
    });
    const providers = answer.success && isRecord(answer.data) ? Object.entries(answer.data) : [];
    const links = providers.flatMap(([name, url]) => {
      const state = typeof url === 'string' ? URL.parse(url)?.searchParams.get('state') : undefined;
      if (typeof url !== 'string' || !state) return [];
      const keep = () => session.set(startedHere, state);
      return [element('a', { class: 'button', href: url, click: keep }, `Continue with ${names[name] || name}`)];
    });
    if (links.length > 0)
      form.after(element('div', { class: 'form-sso', role: 'group', 'aria-label': 'Single sign-on' }, ...links));
  } catch (error) {
    report('The single sign-on providers could not be loaded.', error);
  }
}
