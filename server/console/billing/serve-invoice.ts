import type { RequestHandler } from 'express';
import { HttpError } from '../../http/errors.ts';
import { contextOf } from '../../http/request-context.ts';
import type { ConsoleServices } from '../services.ts';
import { isSigned } from '../signed-address.ts';
import { findPaper } from './find-paper.ts';
import { missingLetters } from './invoice-pdf.ts';

/** `GET /invoices/<id>.pdf`, an invoice or a credit note, at a signed address. */
export function serveInvoice({ database, secretKey, config, now, log }: ConsoleServices): RequestHandler {
  return async (req, res, next) => {
    const context = contextOf(req);
    const [, id] = /^\/invoices\/([\w-]{1,64})\.pdf$/.exec(context.path) ?? [];
    if (id === undefined) return next();
    context.route = '/invoices/*.pdf';
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      throw new HttpError('METHOD_NOT_ALLOWED', { headers: { Allow: 'GET, HEAD' } });
    }
    if (!isSigned(secretKey, context.path, context.query, now())) throw new HttpError('NOT_FOUND');
    const found = await findPaper(database, 'id', id);
    if (!found) throw new HttpError('NOT_FOUND');
    const { pdf, missing } = await found.draw(config.invoiceFont);
    if (missing.length > 0) log.warn({ invoice: found.number, letters: missing.join(' ') }, missingLetters);
    res
      .status(200)
      .set({
        'Content-Type': 'application/pdf',
        'Content-Disposition': `attachment; filename="${found.file}"`,
        'Content-Length': String(pdf.length),
        'Cache-Control': 'private, no-store',
      })
      .end(req.method === 'HEAD' ? undefined : pdf);
  };
}
