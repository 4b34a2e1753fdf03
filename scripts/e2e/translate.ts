import type { Page } from 'playwright';

/**
 * Does to a page what the translation of Chrome and Edge does: each text gives way to its translation inside two
 * `<font>` elements. Here the translation is the text in guillemets.
 */
export function translate(page: Page): Promise<void> {
  return page.evaluate(() => {
    const texts: Text[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!(node instanceof Text) || !node.data.trim()) continue;
      if (!node.parentElement?.closest('font, script, style, textarea, [translate=no]')) texts.push(node);
    }
    for (const text of texts) {
      const outer = document.createElement('font');
      const inner = document.createElement('font');
      for (const font of [outer, inner]) font.style.verticalAlign = 'inherit';
      inner.append(`«${text.data.trim()}»`);
      outer.append(inner);
      text.replaceWith(outer);
    }
  });
}
