import { z } from 'zod';
import { editions } from '../../../../../client/contract/console/orders.ts';

export const productType = z.string().min(1).max(64);
export const edition = z.enum(editions, 'Please choose an edition.');
export const applyCode = z.string().min(1, 'Please enter the apply code.').max(2000);
export const links = z.int('Please enter a whole number of links.').min(1).max(100_000);
export const period = z.strictObject({ num: z.int().positive(), unit: z.enum(['DAY', 'MONTH', 'YEAR']) });
export const orderId = z.string().min(1).max(64);
