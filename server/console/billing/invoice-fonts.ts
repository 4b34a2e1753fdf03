import { fileURLToPath } from 'node:url';

/**
 * Font files of an invoice. The standard fonts of PDF have no letters beyond Western Europe, and a buyer's name must be
 * right.
 * @param own the operator's, for other scripts
 */
export function invoiceFonts(own?: string): { regular: string; bold: string } {
  if (own !== undefined) return { regular: own, bold: own };
  return {
    regular: fileURLToPath(import.meta.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf')),
    bold: fileURLToPath(import.meta.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf')),
  };
}
