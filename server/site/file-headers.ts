import { transportSecurity } from '../http/security-headers.ts';

/** Headers of a static file; they keep browsers from treating it as anything else. */
export function fileHeaders(type: string, cacheControl: string, https: boolean): Record<string, string> {
  // Standalone documents (mainly drawings) get no origin, no script and nothing from elsewhere.
  const isDocument = /svg|html|xml/.test(type);
  return {
    'Content-Type': type,
    'Cache-Control': cacheControl,
    'Content-Security-Policy': isDocument
      ? "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox"
      : "default-src 'none'; frame-ancestors 'none'",
    // Feed readers show pictures on other origins.
    'Cross-Origin-Resource-Policy': type.startsWith('image/') ? 'cross-origin' : 'same-origin',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Content-Type-Options': 'nosniff',
    ...(https && { 'Strict-Transport-Security': transportSecurity }),
  };
}
