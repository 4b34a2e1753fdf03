import { fileURLToPath } from 'node:url';
import { errorMessage } from '../../error-message.ts';

/**
 * Font files of an invoice. The standard PDF fonts have no letters beyond Western Europe, and a buyer's name must be
 * right.
 * @param own the operator's font, for other scripts
 */
export function invoiceFonts(own?: string): { regular: string; bold: string } {
  if (own !== undefined) return { regular: own, bold: own };
  return {
    regular: fileURLToPath(import.meta.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf')),
    bold: fileURLToPath(import.meta.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf')),
  };
}

/** The PDF library, loaded with the first document: loading it unpacks glyph tables. */
export const loadPdfDocument = async () => (await import('pdfkit')).default;

/** Loads the operator's font as an invoice will. @throws with one sentence when it cannot be used */
export async function requireFont(own: string): Promise<void> {
  const PdfDocument = await loadPdfDocument();
  try {
    new PdfDocument({ font: own });
  } catch (cause) {
    throw new Error(
      `INVOICE_FONT ${own} cannot be used for invoices (${errorMessage(cause)}): name a TTF or OTF file.`,
      { cause },
    );
  }
}
