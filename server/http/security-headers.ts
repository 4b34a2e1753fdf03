import type { RequestHandler } from 'express';
import helmet from 'helmet';

interface PolicyChoices {
  publicUrl: string;
  cloudAppUrl: string;
  scriptHashes: readonly string[];
  /** Path that receives browsers' reports about the policy. */
  reportPath: string;
  development: boolean;
}

/**
 * Two years, for this name only: includeSubDomains and preload would promise https for every other name under the
 * operator's domain, and such a promise cannot be withdrawn for just as long.
 */
export const transportSecurity = 'max-age=63072000';

/** Permissions that no page on this site uses. */
const permissions = [
  'accelerometer', 'autoplay', 'browsing-topics', 'camera', 'display-capture', 'encrypted-media', 'fullscreen', 'geolocation',
  'gyroscope', 'magnetometer', 'microphone', 'midi', 'payment', 'picture-in-picture', 'publickey-credentials-get',
  'screen-wake-lock', 'usb', 'xr-spatial-tracking',
].map((name) => `${name}=()`).join(', '); // biome-ignore format: one list

/** Every security header of pages and calls, helmet's and our own, with the policy spelled out in full. */
export function securityHeaders(choices: PolicyChoices): RequestHandler[] {
  const https = choices.publicUrl.startsWith('https:');
  return [
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: choices.development ? developmentPolicy() : pagePolicy(choices, https),
      },
      crossOriginEmbedderPolicy: false,
      // Browsers accept these two only over https and complain in the console about any other page that has them.
      crossOriginOpenerPolicy: https && { policy: 'same-origin' },
      crossOriginResourcePolicy: { policy: 'same-origin' },
      originAgentCluster: https,
      referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
      strictTransportSecurity: false, // below
      xContentTypeOptions: true,
      xDnsPrefetchControl: false,
      xDownloadOptions: false,
      xFrameOptions: { action: 'deny' },
      xPermittedCrossDomainPolicies: false,
      xPoweredBy: true,
      xXssProtection: false,
    }),
    (_req, res, next) => {
      res.setHeader('Permissions-Policy', permissions);
      if (!choices.development) res.setHeader('Reporting-Endpoints', `csp="${choices.reportPath}"`);
      if (https) res.setHeader('Strict-Transport-Security', transportSecurity);
      next();
    },
  ];
}

const ownStyles = "style-src 'self'";

/** The policy of a page that contains a style element. @param hash of the element's text, e.g. `sha256-…` */
export function allowStyle(policy: string, hash: string): string {
  if (!policy.includes(ownStyles)) throw new Error(`The policy has no ${ownStyles} to add to: ${policy}`);
  return policy.replace(ownStyles, `${ownStyles} '${hash}'`);
}

function pagePolicy(
  { publicUrl, cloudAppUrl, scriptHashes, reportPath }: PolicyChoices,
  https: boolean,
): Record<string, string[]> {
  const cloudApp = new URL(cloudAppUrl).origin;
  return {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...scriptHashes.map((hash) => `'${hash}'`)],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'manifest-src': ["'self'"],
    'form-action': ["'self'", ...(cloudApp === new URL(publicUrl).origin ? [] : [cloudApp])],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ["'none'"],
    ...(https && { 'upgrade-insecure-requests': [] }),
    // Browsers without the Reporting API know only the first.
    'report-uri': [reportPath],
    'report-to': ['csp'],
  };
}

/** Vite injects inline scripts and styles and communicates over a WebSocket. */
function developmentPolicy(): Record<string, string[]> {
  return {
    'default-src': ["'self'"],
    'script-src': ["'self'", "'unsafe-inline'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'", 'ws:', 'wss:'],
    // Vite's client waits in a worker for a restarting server.
    'worker-src': ["'self'", 'blob:'],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  };
}
