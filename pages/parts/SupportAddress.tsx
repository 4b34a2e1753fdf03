import type { Brand } from '../../client/contract/site.ts';
import { isReachable } from './contact.ts';

/** Where to ask, at the end of a line; nothing where nobody reads it. */
export function SupportAddress({ brand: { supportEmail } }: { brand: Brand }) {
  if (!isReachable(supportEmail)) return null;
  return (
    <>
      {' '}
      · <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
    </>
  );
}
