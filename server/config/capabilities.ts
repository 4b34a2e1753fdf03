import { z } from 'zod';
import { readSettings } from './read-settings.ts';
import { ssoSettings } from './sso.ts';

// Not checked here but where the backend reads them; a site in front of another backend has the same variables.
const schema = z.object({
  stripeSecretKey: z.string().optional(),
  stripeWebhookSecret: z.string().optional(),
  oidcName: ssoSettings.oidcName,
});

/**
 * What the pages need to know about the backend's settings, so that they offer only what is set up.
 * @throws ConfigError with every fault
 */
export function readCapabilities(env: Readonly<Record<string, string | undefined>>) {
  const { stripeSecretKey, stripeWebhookSecret, oidcName } = readSettings(schema, env);
  return {
    /** Cards are accepted. */
    card: stripeSecretKey !== undefined && stripeWebhookSecret !== undefined,
    /** Display name of the `OIDC_ISSUER` provider. */
    oidcName,
  };
}
