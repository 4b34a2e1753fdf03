import { z } from 'zod';
import type { Announcement, Navigation } from '../../../client/contract/site.ts';

const address = z.string().regex(/^(\/|https?:\/\/|mailto:)/, 'must start with /, https:// or mailto:');

/** A name and the address it leads to. */
export const link = z.strictObject({ label: z.string().min(1), href: address });

/** `navigation.yml`: the bar and the footer. */
export const navigationSchema: z.ZodType<Navigation> = z.strictObject({
  bar: z.array(
    z.union([
      z.strictObject({
        id: z.enum(['product', 'solutions', 'resources', 'pricing', 'about']),
        label: z.string().min(1),
        href: address,
      }),
      z.strictObject({
        id: z.enum(['product', 'solutions', 'resources', 'pricing', 'about']),
        label: z.string().min(1),
        items: z.array(link.extend({ description: z.string().min(1) })).min(1),
      }),
    ]),
  ),
  footer: z.array(z.strictObject({ title: z.string().min(1), links: z.array(link).min(1) })),
});

/** `announcement.yml`: one announcement, or nothing. */
export const announcementSchema: z.ZodType<Announcement | null> = z
  .strictObject({
    id: z.string().regex(/^[\w-]+$/, 'may contain only letters, digits, - and _'),
    text: z.string().min(1),
    href: address,
    linkLabel: z.string().min(1),
  })
  .nullable();

/**
 * An address that is safe in a Location header; browsers read `/\evil.example` and `/.//evil.example` as another site.
 */
const location = z.string().transform((to, context) => {
  const url = to.startsWith('/') ? URL.parse(to, 'http://site') : null;
  if (url?.origin === 'http://site' && !url.pathname.startsWith('//')) return url.pathname + url.search + url.hash;
  context.addIssue({ code: 'custom', message: 'must be an address of this site' });
  return z.NEVER;
});

/** `redirects.yml`: old address → new address, both on this site. */
export const redirectsSchema = z.record(z.string().startsWith('/'), location).nullable();
