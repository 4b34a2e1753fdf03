import { calls } from '../../client/contract/calls.ts';
import type { TestConsole } from './console.ts';
import type { IdentityProvider, Person } from './identity-provider.ts';

/** The address that sign-ins return to. */
export const redirectUri = 'http://localhost:3000/loading';

/** A single sign-on as driven by browser and page. */
export interface SignOn {
  /** Where each provider's sign-in starts. */
  starts(target?: string, token?: string): Promise<Record<string, string>>;
  /** A sign-in up to the provider's answer, as the page forwards it. */
  answered(person: Person, start?: string): Promise<{ state: string; code: string; iss: string }>;
  auth(body: object, token?: string): ReturnType<TestConsole['post']>;
  /** The body of a complete sign-in's answer. */
  signIn(person: Person): Promise<ReturnType<typeof JSON.parse>>;
  /** Codes and states so far, which must not be in the log. */
  secrets: string[];
}

export function driveSignOn(backend: TestConsole, provider: IdentityProvider): SignOn {
  const secrets: string[] = [];
  const signOn: SignOn = {
    secrets,
    async starts(target = 'sign_in', token) {
      const options = token === undefined ? {} : { token };
      const { body } = await backend.post(calls.ssoType, { source: 'https://search.example/', target }, options);
      return body.data;
    },
    async answered(person, start) {
      const query = await provider.signIn(start ?? (await signOn.starts()).oidc ?? '', person);
      const of = (name: string) => query.get(name) ?? '';
      const answer = { state: of('state'), code: of('code'), iss: of('iss') };
      secrets.push(answer.state, answer.code);
      return answer;
    },
    auth: (body, token) => backend.post(calls.auth, body, token === undefined ? {} : { token }),
    signIn: async (person) => (await signOn.auth(await signOn.answered(person))).body,
  };
  return signOn;
}
