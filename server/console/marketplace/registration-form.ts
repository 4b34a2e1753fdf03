import express, { type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { HttpError } from '../../http/errors.ts';
import { contextOf } from '../../http/request-context.ts';
import type { ConsoleServices } from '../services.ts';
import { countRegistration } from './attempts.ts';
import { keepToken } from './references.ts';

const mostBytes = 8 * 1024;
const longestToken = 4096;
const page = '/registerFromMarket';
const readForm = express.urlencoded({ extended: false, limit: mostBytes });
const fields = z.object({ 'x-amzn-marketplace-token': z.string().trim().default('') });

/**
 * The form with a registration token that a marketplace has a buyer's browser send: the token stays here, the browser
 * goes on to the page with a reference; without a token, to the page that says where to start.
 */
export function registrationForm(services: ConsoleServices): RequestHandler {
  const { database, secretKey, marketplaces, now } = services;
  return async (req, res, next) => {
    const context = contextOf(req);
    if (
      context.path !== calls.registerFromMarket ||
      req.method !== 'POST' ||
      !req.is('application/x-www-form-urlencoded')
    )
      return next();
    context.route = `${page} (form)`;
    await countRegistration(services, context.address);
    const token = await tokenOf(req, res);
    const usable = marketplaces.AWS !== undefined && token !== '' && token.length <= longestToken;
    const reference = usable ? await keepToken(database, secretKey, token, now()) : undefined;
    const query = reference === undefined ? '' : `?ref=${reference}`;
    res
      .status(303)
      .set('Location', page + query)
      .set('Cache-Control', 'no-store')
      .end();
  };
}

/** The form's token, or empty. @throws HttpError BODY_TOO_LARGE */
async function tokenOf(req: Request, res: Response): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    readForm(req, res, (cause?: unknown) => (cause ? reject(new HttpError('BODY_TOO_LARGE', { cause })) : resolve()));
  });
  const sent: unknown = req.body;
  return fields.safeParse(sent).data?.['x-amzn-marketplace-token'] ?? '';
}
