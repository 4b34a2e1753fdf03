import { createHmac, timingSafeEqual } from 'node:crypto';

/** Clients' names for the only method. */
const methods = ['HmacSHA1', 'HMAC-SHA1'];

/** Credentials of a signed call; the signature covers neither body nor path. */
export interface SignedQuery {
  accessKey: string;
  method: string;
  nonce: string;
  signature: string;
}

/** The text to sign: three parameters by name, encoded, and encoded as a whole once more. */
export function textToSign({ accessKey, method, nonce }: Omit<SignedQuery, 'signature'>): string {
  const pairs = [
    ['AccessKeyId', accessKey],
    ['SignatureMethod', method],
    ['SignatureNonce', nonce],
  ];
  return encode(pairs.map(([name = '', value = '']) => `${encode(name)}=${encode(value)}`).join('&'));
}

/** Base64 of HMAC-SHA1. */
export function sign(secret: string, query: Omit<SignedQuery, 'signature'>): string {
  return createHmac('sha1', secret).update(textToSign(query)).digest('base64');
}

/** Whether the signature fits the secret, in constant time. */
export function isSignedBy(secret: string, query: SignedQuery): boolean {
  const [wanted, given] = [Buffer.from(sign(secret, query)), Buffer.from(query.signature)];
  return methods.includes(query.method) && wanted.length === given.length && timingSafeEqual(wanted, given);
}

/** Reads the credentials of a query; undefined if a part is missing or unreadable. */
export function readSignedQuery(query: URLSearchParams): SignedQuery | undefined {
  const accessKey = query.get('AccessKeyId');
  const method = query.get('SignatureMethod');
  const nonce = query.get('SignatureNonce');
  // Some clients leave Base64's plus as it is, and a plus in a query is a blank.
  const signature = query.get('Signature')?.replaceAll(' ', '+');
  if (!accessKey || !method || !nonce || !signature || nonce.length > 128) return undefined;
  // PostgreSQL cannot store this character as text.
  if (accessKey.includes('\0') || nonce.includes('\0')) return undefined;
  return { accessKey, method, nonce, signature };
}

/** Percent-encoding that leaves only letters, digits and `-_.~` alone. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}
