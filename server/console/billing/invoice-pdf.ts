import { buffer } from 'node:stream/consumers';
import { money } from '../../../client/contract/money.ts';
import { invoiceFonts, loadPdfDocument } from './invoice-fonts.ts';
import type { InvoiceDocument } from './invoices.ts';

const left = 56;
const right = 539;
const bottom = 785;
/** Where the amounts begin, and what to write on a transfer: an account can take a whole line. */
const amounts = 380;
const particulars = 140;
const rate = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 });
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
  const ends = [
    party(pdf, 'Seller', [seller.name, seller.email], left, top),
    party(pdf, 'Buyer', [buyer.company, buyer.name, buyer.country, buyer.email], 300, top),
  ];
  pdf.x = left;
  pdf.y = Math.max(...ends, top + 80) + 10;
  rule(pdf);
  for (const { text, amount } of lines) row(pdf, text, money(amount, 'USD'));
  rule(pdf);
  row(pdf, `${tax.label} ${rate.format(tax.rate * 100)} %, included`, money(tax.amount, 'USD'));
  pdf.font('bold');
  row(pdf, 'Total', money(total, 'USD'));
  if (payment && status === 'OPEN') {
    pdf.moveDown(1.5).text('Payment by transfer').font('regular');
    row(pdf, 'By', day.format(payment.until), particulars);
    row(pdf, 'To', payment.payee, particulars);
    row(pdf, 'Account', payment.account || `ask ${seller.email}`, particulars);
    row(pdf, 'Reference', number, particulars);
  }
  pdf.end();
  return await done;
}

function wordOf(status: InvoiceHead['status']): string {
  return { OPEN: 'to be paid', PAID: 'paid', VOID: 'void' }[status];
}

/** @returns where it ends */
function party(pdf: PDFKit.PDFDocument, title: string, lines: string[], x: number, y: number): number {
  pdf.font('bold').text(title, x, y, { width: 220 });
  pdf.font('regular');
  for (const line of lines.filter(Boolean)) pdf.text(line, { width: 220 });
  return pdf.y;
}

/** @param column where the value begins, at the right of its name */
function row(pdf: PDFKit.PDFDocument, text: string, value: string, column = amounts): void {
  const [ofText, ofValue] = [{ width: column - left - 14 }, { width: right - column, align: 'right' as const }];
  const height = Math.max(pdf.heightOfString(text, ofText), pdf.heightOfString(value, ofValue));
  if (pdf.y + height > bottom) pdf.addPage();
  const { y } = pdf;
  pdf.text(value, column, y, ofValue);
  pdf.text(text, left, y, ofText);
  pdf.y = y + height;
  pdf.moveDown(0.5);
}

function rule(pdf: PDFKit.PDFDocument): void {
  pdf.moveTo(left, pdf.y).lineTo(right, pdf.y).lineWidth(0.5).stroke('#999999');
  pdf.fillColor('black').moveDown(0.7);
}
