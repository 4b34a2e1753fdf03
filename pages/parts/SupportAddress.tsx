import type { Brand } from '../../client/contract/site.ts';
import { isReachable } from './contact.ts';

/** The support address, at the end of a line; nothing if no one reads it. */
export function SupportAddress({ brand: { supportEmail } }: { brand: Brand }) {
  if (!isReachable(supportEmail)) return null;
  return (
    <>
      {' '}
      · <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
    </>
  );
}
