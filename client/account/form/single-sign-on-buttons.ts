import { element } from '../../browser/element.ts';
import { isRecord } from '../../browser/json.ts';
import { report } from '../../browser/report.ts';
import { session } from '../../browser/storage.ts';
import { call } from '../../call.ts';
import type { Call } from '../../contract/calls.ts';
import { readLoginSource, startedHere } from '../../stores/login-source.ts';

/** Spelled out: the table of all calls is loaded only with what a visitor uses. */
const ssoType: Call = '/rdp/console/api/v1/constant/sso_type';

/** A start address is valid for ten minutes, and people come back to a page of yesterday. */
const freshMs = 9 * 60_000;

const stateOf = (url: string) => URL.parse(url)?.searchParams.get('state') ?? null;

/** Shows the identity providers that the operator has set up; a failure is only logged to the console. */
export async function showSingleSignOn(form: HTMLFormElement): Promise<void> {
  const names: Record<string, string> = { google: 'Google', github: 'GitHub', oidc: form.dataset.oidcName ?? '' };
  const links = new Map<string, HTMLAnchorElement>();
  let askedAt = 0;
  const ask = async () => {
    askedAt = Date.now();
    try {
      const answer = await call(ssoType, {
        source: session.get('source_for_cc') ?? '',
        target: readLoginSource() ?? '',
      });
      for (const [name, url] of Object.entries(answer.success && isRecord(answer.data) ? answer.data : {})) {
        if (typeof url !== 'string' || !stateOf(url)) continue;
        const link = links.get(name) ?? linkTo(name);
        link.href = url;
      }
    } catch (error) {
      report('The single sign-on providers could not be loaded.', error);
    }
  };
  const linkTo = (name: string) => {
    const click = async (event: Event): Promise<void> => {
      if (Date.now() - askedAt < freshMs) return session.set(startedHere, stateOf(link.href));
      event.preventDefault();
      await ask();
      link.click();
    };
    const link: HTMLAnchorElement = element('a', { class: 'button', click }, `Continue with ${names[name] || name}`);
    links.set(name, link);
    return link;
  };
  await ask();
  if (links.size > 0)
    form.after(element('div', { class: 'form-sso', role: 'group', 'aria-label': 'Single sign-on' }, ...links.values()));
}
