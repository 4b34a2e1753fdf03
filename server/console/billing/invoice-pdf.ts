import { buffer } from 'node:stream/consumers';
import { money } from '../../../client/contract/money.ts';
import { longDay } from '../long-day.ts';
import type { CreditNoteDocument } from './credit-notes.ts';
import { invoiceFonts, loadPdfDocument, type Weight } from './invoice-fonts.ts';
import type { InvoiceText } from './invoice-text.ts';
import type { InvoiceDocument } from './invoices.ts';

const left = 56;
const right = 539;
const bottom = 785;
/** Size of the text, in points. */
const normal = 10;
/** Where the amounts begin, and what to write on a transfer: an account can take a whole line. */
const amounts = 380;
const particulars = 140;
const rate = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 });

interface InvoiceHead {
  number: string;
  createdAt: number;
  status: 'OPEN' | 'PAID' | 'VOID';
  /** Cents that credit notes have returned. */
  credited: number;
}

/** What to do about letters that no font has. */
export const missingLetters =
  'an invoice shows boxes for letters that its fonts lack: name a font file that has them in INVOICE_FONT';

/** An invoice as a PDF, and the letters in it that no font has. */
export interface InvoicePdf {
  pdf: Buffer;
  missing: string[];
}

/** An invoice as an A4 PDF; the same invoice always gives the same text. @param font the operator's own font file */
export function invoicePdf(
  { number, createdAt, status, credited }: InvoiceHead,
  { seller, buyer, lines, tax, total, payment }: InvoiceDocument,
  font?: string,
): Promise<InvoicePdf> {
  // The note of a void invoice returns no money.
  const refunded = credited > 0 && status === 'PAID' ? ` · ${money(credited, 'USD')} refunded` : '';
  const paper = {
    title: `Invoice ${number}`,
    below: `${longDay(createdAt)} · ${wordOf(status)}${refunded}`,
    ...{ seller, buyer, lines, tax, total },
    totalName: 'Total',
  };
  return paperPdf(paper, font, (sheet) => {
    if (!payment || status !== 'OPEN') return;
    sheet.y += 20;
    write(sheet, 'Payment by transfer');
    sheet.weight = 'regular';
    row(sheet, 'By', longDay(payment.until), particulars);
    row(sheet, 'To', payment.payee, particulars);
    row(sheet, 'Account', payment.account || `ask ${seller.email}`, particulars);
    row(sheet, 'Reference', number, particulars);
  });
}

/** A credit note as an A4 PDF. @param font the operator's own font file */
export function creditNotePdf(
  { number, createdAt }: { number: string; createdAt: number },
  { seller, buyer, invoice, tax, total, voids }: CreditNoteDocument,
  font?: string,
): Promise<InvoicePdf> {
  const text = `${voids ? 'Cancellation of' : 'Refund for'} invoice ${invoice.number} of ${longDay(invoice.createdAt)}`;
  const paper = {
    title: `Credit note ${number}`,
    below: longDay(createdAt),
    ...{ seller, buyer, lines: [{ text, amount: total }], tax, total },
    totalName: voids ? 'Total cancelled' : 'Total refunded',
  };
  return paperPdf(paper, font);
}

/** What an invoice and a credit note have in common. */
interface Paper extends Pick<InvoiceDocument, 'seller' | 'buyer' | 'lines' | 'tax' | 'total'> {
  title: string;
  below: string;
  totalName: string;
}

async function paperPdf(
  { title, below, seller, buyer, lines, tax, total, totalName }: Paper,
  font: string | undefined,
  finish: (sheet: Sheet) => void = () => undefined,
): Promise<InvoicePdf> {
  const info = { Title: title, Author: seller.name };
  const PdfDocument = await loadPdfDocument();
  const { InvoiceText, apart } = await import('./invoice-text.ts');
  const fonts = invoiceFonts(font);
  const pdf = new PdfDocument({ size: 'A4', margin: left, info, ...(fonts[0] && { font: fonts[0].regular }) });
  const done = buffer(pdf);
  const text = new InvoiceText(pdf, fonts);
  const sheet: Sheet = { pdf, text, y: left, weight: 'bold' };
  write(sheet, title, 22);
  sheet.weight = 'regular';
  sheet.y += 5;
  write(sheet, below);
  sheet.y += 20;
  const ends = [
    party(sheet, 'Seller', [seller.name, seller.email], left),
    party(sheet, 'Buyer', [buyer.company, buyer.name, buyer.country, buyer.email], 300),
  ];
  sheet.y = Math.max(...ends, sheet.y + 80) + 10;
  rule(sheet);
  for (const { text: what, amount } of lines) row(sheet, what, money(amount, 'USD'));
  rule(sheet);
  row(sheet, `${apart(tax.label)} ${rate.format(tax.rate * 100)} %, included`, money(tax.amount, 'USD'));
  sheet.weight = 'bold';
  row(sheet, totalName, money(total, 'USD'));
  finish(sheet);
  pdf.end();
  return { pdf: await done, missing: [...text.missing] };
}

/** What is needed to write below what is there. */
interface Sheet {
  pdf: PDFKit.PDFDocument;
  text: InvoiceText;
  y: number;
  weight: Weight;
}

function wordOf(status: InvoiceHead['status']): string {
  return { OPEN: 'to be paid', PAID: 'paid', VOID: 'void' }[status];
}

function write(sheet: Sheet, words: string, size = normal): void {
  const laid = sheet.text.lay(words, { weight: sheet.weight, size, width: right - left });
  sheet.text.draw(laid, left, sheet.y);
  sheet.y += laid.height;
}

/** @returns where it ends */
function party({ text, y }: Sheet, title: string, lines: string[], x: number): number {
  let end = y;
  const style = { size: normal, width: 220 };
  const laidTitle = text.lay(title, { ...style, weight: 'bold' });
  for (const laid of [
    laidTitle,
    ...lines.filter(Boolean).map((line) => text.lay(line, { ...style, weight: 'regular' })),
  ]) {
    text.draw(laid, x, end);
    end += laid.height;
  }
  return end;
}

/** @param column where the value begins, at the right of its name */
function row(sheet: Sheet, name: string, value: string, column = amounts): void {
  const { pdf, text, weight } = sheet;
  const ofName = text.lay(name, { weight, size: normal, width: column - left - 14 });
  const ofValue = text.lay(value, { weight, size: normal, width: right - column });
  // Fonts differ in height: the letters of both stand on one line.
  const above = Math.max(ofName.above, ofValue.above);
  const height = above + Math.max(ofName.height - ofName.above, ofValue.height - ofValue.above);
  if (sheet.y + height > bottom) {
    pdf.addPage();
    sheet.y = left;
  }
  text.draw(ofValue, column, sheet.y + above - ofValue.above, right);
  text.draw(ofName, left, sheet.y + above - ofName.above);
  sheet.y += height + normal * 0.7;
}

function rule(sheet: Sheet): void {
  sheet.pdf.moveTo(left, sheet.y).lineTo(right, sheet.y).lineWidth(0.5).stroke('#999999');
  sheet.pdf.fillColor('black');
  sheet.y += normal;
}
