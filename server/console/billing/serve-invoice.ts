import type { RequestHandler } from 'express';
import { z } from 'zod';
import { HttpError } from '../../http/errors.ts';
import { contextOf } from '../../http/request-context.ts';
import type { ConsoleServices } from '../services.ts';
import { isSigned } from '../signed-address.ts';
import { invoicePdf, missingLetters } from './invoice-pdf.ts';
import { invoiceDocument } from './invoices.ts';

const row = z.object({
  number: z.string(),
  created_at: z.number(),
  status: z.enum(['OPEN', 'PAID', 'VOID']),
  document: z.string(),
});

/** `GET /invoices/<id>.pdf`, at a signed address. */
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
    const found = await database.one(row, 'SELECT number, created_at, status, document FROM invoice WHERE id = $1', [
      id,
    ]);
    if (!found) throw new HttpError('NOT_FOUND');
    const { number, created_at: createdAt, status } = found;
    const document = invoiceDocument.parse(JSON.parse(found.document));
    const { pdf, missing } = await invoicePdf({ number, createdAt, status }, document, config.invoiceFont);
    if (missing.length > 0) log.warn({ invoice: number, letters: missing.join(' ') }, missingLetters);
    res
      .status(200)
      .set({
        'Content-Type': 'application/pdf',
        'Content-Disposition': `attachment; filename="invoice-${number}.pdf"`,
        'Content-Length': String(pdf.length),
        'Cache-Control': 'private, no-store',
      })
      .end(req.method === 'HEAD' ? undefined : pdf);
  };
}
