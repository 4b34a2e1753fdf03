import * as client from 'openid-client';
import { z } from 'zod';
import { emailField } from '../account/targets.ts';
import { callbackUrl, startParameters } from './parameters.ts';
import { providerSeconds, type SsoProvider } from './provider.ts';

interface GithubApp {
  /** `https://github.com`, or a GitHub Enterprise Server. */
  url: string;
  clientId: string;
  clientSecret: string;
}

const userSchema = z.object({ id: z.int(), login: z.string(), name: z.string().nullish() });
const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** GitHub: OAuth 2 with PKCE and no ID token; its API says who signed in, given the token received for the code. */
export function githubProvider({ url, clientId, clientSecret }: GithubApp): SsoProvider {
  const api = url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`;
  const configuration = new client.Configuration(
    {
      issuer: url,
      authorization_endpoint: `${url}/login/oauth/authorize`,
      token_endpoint: `${url}/login/oauth/access_token`,
    },
    clientId,
    undefined,
    client.ClientSecretPost(clientSecret),
  );
  configuration.timeout = providerSeconds;
  if (url.startsWith('http:')) client.allowInsecureRequests(configuration);

  async function read<Body>(path: string, token: string, schema: z.ZodType<Body>): Promise<Body> {
    const response = await client.fetchProtectedResource(configuration, token, new URL(`${api}${path}`), 'GET');
    if (response.ok) return schema.parse(await response.json());
    await response.body?.cancel();
    throw new Error(`GitHub answered ${response.status} to ${path}.`);
  }

  return {
    type: 'github',
    name: 'GitHub',
    async start(attempt) {
      return client.buildAuthorizationUrl(configuration, await startParameters(attempt, 'user:email'));
    },
    async finish(attempt, answer) {
      const { access_token: token } = await client.authorizationCodeGrant(configuration, callbackUrl(attempt, answer), {
        expectedState: attempt.state,
        pkceCodeVerifier: attempt.verifier,
      });
      const [user, emails] = await Promise.all([
        read('/user', token, userSchema),
        read('/user/emails', token, emailsSchema),
      ]);
      const address = emails.find(({ primary, verified }) => primary && verified)?.email;
      return {
        issuer: url,
        // The number stays the same when a user changes their login.
        subject: String(user.id),
        name: user.name || user.login,
        email: emailField.safeParse(address).data,
      };
    },
  };
}
