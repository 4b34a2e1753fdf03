import type { ZodType } from 'zod';
import type { SecretKey } from './secret-key.ts';

/** Content as text followed by a MAC: anyone who sees it can read it, no one can change it. */
export function writeSigned(secretKey: SecretKey, purpose: string, content: object): string {
  const text = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `${text}.${secretKey.mac(purpose, text)}`;
}

/** The content of a text that this installation signed for the purpose; undefined for any other text. */
export function readSigned<Content>(
  secretKey: SecretKey,
  purpose: string,
  schema: ZodType<Content>,
  signed: string,
): Content | undefined {
  const [text = '', mac = '', ...more] = signed.split('.');
  if (more.length > 0 || !secretKey.isMac(purpose, text, mac)) return undefined;
  return schema.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))).data;
}
