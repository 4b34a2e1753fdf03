import { z } from 'zod';
import { editions } from '../../../client/contract/console/orders.ts';

/** A licence order as it is stored. */
export const orderRow = z.object({
  id: z.string(),
  uid: z.string(),
  reference: z.string(),
  status: z.enum(['WAIT_PAY', 'PAID', 'ISSUED', 'CLOSED']),
  pay_method: z.enum(['STRIPE', 'BANK_TRANSFER', 'NONE']),
  /** The id of the payment service's page that pays it. */
  pay_session: z.string().nullable(),
  installation: z.string(),
  edition: z.enum(editions),
  links: z.number(),
  from_at: z.number(),
  to_at: z.number(),
  old_licence: z.string().nullable(),
  old_value: z.number(),
  credits: z.number(),
  total: z.number(),
  created_at: z.number(),
});

export type OrderRow = z.infer<typeof orderRow>;

/** The columns of `orderRow`. */
export const orderColumns =
  'id, uid, reference, status, pay_method, pay_session, installation, edition, links, from_at, to_at, old_licence, old_value, credits, total, created_at';
