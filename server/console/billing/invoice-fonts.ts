import { fileURLToPath } from 'node:url';
import { errorMessage } from '../../error-message.ts';

export type Weight = 'regular' | 'bold';
/** The files of a font by weight. */
export type FontFiles = Record<Weight, string>;

/**
 * Fonts of an invoice: each letter is drawn by the first one that has it. The standard PDF fonts have no letters beyond
 * Western Europe, and a buyer's name must be right.
 * @param own the operator's font, for other scripts
 */
export function invoiceFonts(own?: string): FontFiles[] {
  return [
    ...(own === undefined ? [] : [{ regular: own, bold: own }]),
    {
      regular: fileURLToPath(import.meta.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf')),
      bold: fileURLToPath(import.meta.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf')),
    },
    {
      regular: fileURLToPath(
        import.meta.resolve('@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'),
      ),
      bold: fileURLToPath(
        import.meta.resolve('@expo-google-fonts/noto-sans-hebrew/700Bold/NotoSansHebrew_700Bold.ttf'),
      ),
    },
    {
      regular: fileURLToPath(
        import.meta.resolve('@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'),
      ),
      bold: fileURLToPath(
        import.meta.resolve('@expo-google-fonts/noto-sans-arabic/700Bold/NotoSansArabic_700Bold.ttf'),
      ),
    },
  ];
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
