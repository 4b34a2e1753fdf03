import * as client from 'openid-client';
import { z } from 'zod';
import type { SsoType } from '../../../client/contract/console/sso.ts';
import { emailField } from '../account/targets.ts';
import { remember } from './discovery.ts';
import { callbackUrl, startParameters } from './parameters.ts';
import { providerSeconds, type SsoProvider } from './provider.ts';

interface OidcClient {
  type: SsoType;
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Epoch milliseconds. */
  now: () => number;
}

/** What is read from an ID token or the userinfo endpoint; a provider may leave out anything but `sub`. */
const claimsSchema = z.object({
  // The standard's own limits.
  sub: z.string().regex(/^[\x20-\x7e]{1,255}$/),
  name: z.string().catch(''),
  email: emailField.optional().catch(undefined),
  // Some providers send it as text.
  email_verified: z
    .union([z.boolean(), z.literal('true')])
    .optional()
    .catch(undefined),
});

const idTokenSchema = claimsSchema.extend({ iss: z.string() });

/** An OpenID Connect provider: code flow with PKCE, nonce and issuer, ID token with a checked signature. */
export function oidcProvider({ type, name, issuer, clientId, clientSecret, now }: OidcClient): SsoProvider {
  const discover = remember(now, () => {
    const execute = [client.enableNonRepudiationChecks];
    if (issuer.startsWith('http:')) execute.push(client.allowInsecureRequests);
    const options = { timeout: providerSeconds, execute };
    return client.discovery(new URL(issuer), clientId, undefined, clientAuthentication(clientSecret), options);
  });

  return {
    type,
    name,
    async start(attempt) {
      const configuration = await discover();
      return client.buildAuthorizationUrl(configuration, {
        ...(await startParameters(attempt, 'openid email profile')),
        nonce: attempt.nonce,
      });
    },
    async finish(attempt, answer) {
      const configuration = await discover();
      const tokens = await client.authorizationCodeGrant(configuration, callbackUrl(attempt, answer), {
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        pkceCodeVerifier: attempt.verifier,
      });
      const idToken = idTokenSchema.parse(tokens.claims());
      const claims = idToken.email === undefined ? await userInfo(configuration, tokens, idToken.sub) : idToken;
      return {
        issuer: idToken.iss,
        subject: idToken.sub,
        name: claims?.name || idToken.name,
        email: claims?.email_verified ? claims.email : undefined,
      };
    },
  };
}

/** Many providers give name and address only there; undefined for one without such an endpoint. */
async function userInfo(
  configuration: client.Configuration,
  { access_token: token }: client.TokenEndpointResponse,
  subject: string,
) {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return undefined;
  return claimsSchema.parse(await client.fetchUserInfo(configuration, token, subject));
}

/** HTTP Basic is the standard's default; the secret goes into the body if a provider accepts it only there. */
function clientAuthentication(secret: string): client.ClientAuth {
  const basic = client.ClientSecretBasic(secret);
  const post = client.ClientSecretPost(secret);
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...request);
  };
}
