import type { RequestHandler } from 'express';
import { calls } from '../../../client/contract/calls.ts';
import { rawBodyReader } from '../../http/raw-body.ts';
import { contextOf } from '../../http/request-context.ts';
import type { ConsoleServices } from '../services.ts';
import { countRegistration } from './attempts.ts';
import { keepToken } from './references.ts';

const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const readBody = rawBodyReader(8 * 1024);
const longestToken = 4096;
const page = '/registerFromMarket';

/**
 * The form with a registration token that a marketplace sends through a buyer's browser: the token stays on the server,
 * and the browser is sent to the page with a reference; without a token, to the page that says where to start.
 */
export function registrationForm(services: ConsoleServices): RequestHandler {
  const { database, secretKey, marketplaces, now } = services;
  return async (req, res, next) => {
    const context = contextOf(req);
    const isForm = req.method === 'POST' && formType.test(req.headers['content-type'] ?? '');
    if (context.path !== calls.registerFromMarket || !isForm) return next();
    context.route = `${page} (form)`;
    await countRegistration(services, context.address);
    const fields = new URLSearchParams((await readBody(req, res)).toString());
    const token = fields.get('x-amzn-marketplace-token')?.trim() ?? '';
    const usable = marketplaces.AWS !== undefined && token !== '' && token.length <= longestToken;
    const reference = usable ? await keepToken(database, secretKey, token, now()) : undefined;
    const query = reference === undefined ? '' : `?ref=${reference}&marketplace=AWS`;
    res
      .status(303)
      .set('Location', page + query)
      .set('Cache-Control', 'no-store')
      .end();
  };
}
