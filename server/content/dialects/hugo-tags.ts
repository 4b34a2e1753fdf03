import { admonitionKind } from '../plugins/admonition-kinds.ts';
import { firstParameter, parameter, type Shortcode } from './shortcode.ts';

/**
 * Our tag, or the HTML tag, for a shortcode that opens or closes a block; undefined for one that is not a block here.
 */
export function blockTag(shortcode: Shortcode): string | undefined {
  const { name, closing } = shortcode;
  if (name === 'tabs' || name === 'tabpane') return closing ? '</md-tabs>' : '<md-tabs>';
  if (name === 'tab') {
    const label = parameter(shortcode, 'name', 'header', 'title') ?? firstParameter(shortcode);
    return closing ? '</md-tab>' : `<md-tab${attribute('label', label)}>`;
  }
  if (name === 'details') {
    const summary = parameter(shortcode, 'summary', 'title') ?? firstParameter(shortcode) ?? 'Details';
    return closing ? '</details>' : `<details><summary>${summary}</summary>`;
  }
  const kind = admonitionKind(name);
  if (!kind) return undefined;
  if (closing) return '</md-admonition>';
  const written = [parameter(shortcode, 'type', 'color'), firstParameter(shortcode)].map((word) =>
    admonitionKind(word ?? ''),
  );
  const title = attribute('title', parameter(shortcode, 'title'));
  return `<md-admonition kind="${written.find(Boolean) ?? kind}"${title}>`;
}

function attribute(name: string, text: string | undefined): string {
  return text ? ` ${name}="${text.replaceAll('"', '&quot;')}"` : '';
}
