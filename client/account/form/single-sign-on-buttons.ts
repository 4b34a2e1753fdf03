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

/** The addresses at which a sign-in starts, by provider. */
async function askStarts(): Promise<Map<string, URL>> {
  const answer = await call(ssoType, {
    source: session.get('source_for_cc') ?? '',
    target: readLoginSource() ?? '',
  });
  const providers = answer.success && isRecord(answer.data) ? Object.entries(answer.data) : [];
  return new Map(
    providers.flatMap(([name, text]) => {
      const url = typeof text === 'string' ? URL.parse(text) : null;
      return url?.searchParams.get('state') ? [[name, url]] : [];
    }),
  );
}

/** Shows the identity providers that the operator has set up; a failure is only logged to the console. */
export async function showSingleSignOn(form: HTMLFormElement): Promise<void> {
  const names: Record<string, string> = { google: 'Google', github: 'GitHub', oidc: form.dataset.oidcName ?? '' };
  const failed = (error: unknown) => report('The single sign-on providers could not be loaded.', error);
  const links = new Map<string, HTMLAnchorElement>();
  let starts = new Map<string, URL>();
  let askedAt = 0;
  const ask = async () => {
    starts = await askStarts();
    askedAt = Date.now();
    for (const [name, link] of links) link.href = starts.get(name)?.href ?? link.href;
  };
  const keep = (name: string) => session.set(startedHere, starts.get(name)?.searchParams.get('state') ?? null);
  const start = (name: string) => (event: Event) => {
    if (Date.now() - askedAt < freshMs) return keep(name);
    event.preventDefault();
    return ask()
      .catch(failed)
      .then(() => {
        keep(name);
        location.assign(links.get(name)?.href ?? location.href);
      });
  };
  await ask().catch(failed);
  for (const [name, { href }] of starts)
    links.set(
      name,
      element('a', { class: 'button', href, click: start(name) }, `Continue with ${names[name] || name}`),
    );
  if (links.size > 0)
    form.after(element('div', { class: 'form-sso', role: 'group', 'aria-label': 'Single sign-on' }, ...links.values()));
}
