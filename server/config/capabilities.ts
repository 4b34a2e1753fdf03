import { z } from 'zod';
import { readSettings } from './read-settings.ts';
import { ssoSettings } from './sso.ts';

// Checked where the backend reads them; a site before another backend is told by the same variables.
const schema = z.object({
  stripeSecretKey: z.string().optional(),
  stripeWebhookSecret: z.string().optional(),
  oidcName: ssoSettings.oidcName,
});

/**
 * What the pages need to know of the backend's settings, so that they offer what is set up and nothing else.
 * @throws ConfigError with every fault
 */
export function readCapabilities(env: Readonly<Record<string, string | undefined>>) {
  const { stripeSecretKey, stripeWebhookSecret, oidcName } = readSettings(schema, env);
  return {
    /** Cards are taken. */
    card: stripeSecretKey !== undefined && stripeWebhookSecret !== undefined,
    /** What people call the provider of `OIDC_ISSUER`. */
    oidcName,
  };
}
