import { buffer } from 'node:stream/consumers';
import { money } from '../../../client/contract/money.ts';
import { invoiceFonts, loadPdfDocument } from './invoice-fonts.ts';
import type { InvoiceDocument } from './invoices.ts';

const left = 56;
const right = 539;
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

interface InvoiceHead {
  number: string;
  createdAt: number;
  status: 'OPEN' | 'PAID' | 'VOID';
}

/** An invoice as an A4 PDF; the same invoice always gives the same text. @param font the operator's own font file */
export async function invoicePdf(
  { number, createdAt, status }: InvoiceHead,
  document: InvoiceDocument,
  font?: string,
): Promise<Buffer> {
  const { seller, buyer, lines, tax, total, payment } = document;
  const info = { Title: `Invoice ${number}`, Author: seller.name };
  const fonts = invoiceFonts(font);
  const PdfDocument = await loadPdfDocument();
  const pdf = new PdfDocument({ size: 'A4', margin: left, font: fonts.regular, info });
  pdf.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold);
  const done = buffer(pdf);
  pdf.font('bold').fontSize(22).text(`Invoice ${number}`);
  pdf
    .font('regular')
    .fontSize(10)
    .moveDown(0.4)
    .text(`${day.format(createdAt)} · ${wordOf(status)}`);
  pdf.moveDown(1.5);
  const top = pdf.y;
  party(pdf, 'Seller', [seller.name, seller.email], left, top);
  party(pdf, 'Buyer', [buyer.company, buyer.name, buyer.country, buyer.email], 300, top);
  pdf.x = left;
  pdf.y = Math.max(pdf.y, top + 90);
  rule(pdf);
  for (const { text, amount } of lines) row(pdf, text, money(amount, 'USD'));
  rule(pdf);
  row(pdf, `${tax.label} ${Math.round(tax.rate * 1000) / 10} %, included`, money(tax.amount, 'USD'));
  pdf.font('bold');
  row(pdf, 'Total', money(total, 'USD'));
  if (payment && status === 'OPEN') {
    pdf.moveDown(1.5).text('Payment by transfer').font('regular');
    row(pdf, 'By', day.format(payment.until));
    row(pdf, 'To', payment.payee);
    row(pdf, 'Account', payment.account || `ask ${seller.email}`);
    row(pdf, 'Reference', number);
  }
  pdf.end();
  return await done;
}

function wordOf(status: InvoiceHead['status']): string {
  return { OPEN: 'to be paid', PAID: 'paid', VOID: 'void' }[status];
}

function party(pdf: PDFKit.PDFDocument, title: string, lines: string[], x: number, y: number): void {
  pdf.font('bold').text(title, x, y, { width: 220 });
  pdf.font('regular');
  for (const line of lines.filter(Boolean)) pdf.text(line, { width: 220 });
}

function row(pdf: PDFKit.PDFDocument, text: string, amount: string): void {
  if (pdf.y > 760) pdf.addPage();
  const { y } = pdf;
  pdf.text(amount, 380, y, { width: right - 380, align: 'right' });
  pdf.text(text, left, y, { width: 310 });
  pdf.moveDown(0.5);
}

function rule(pdf: PDFKit.PDFDocument): void {
  pdf.moveTo(left, pdf.y).lineTo(right, pdf.y).lineWidth(0.5).stroke('#999999');
  pdf.fillColor('black').moveDown(0.7);
}
