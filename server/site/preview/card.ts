import { readFile } from 'node:fs/promises';
import { type CSSProperties, createElement, type ReactNode } from 'react';
import type { Brand } from '../../../client/contract/site.ts';
import { encodePng } from './png.ts';

/** A preview picture's text. */
export interface Card {
  title: string;
  /** Small line above the title, e.g. 'Documents'. */
  section: string;
  brand: Brand;
}

const width = 1200;
const height = 630;

/** Every box is a flex box, the only layout that satori supports. */
function box(style: CSSProperties, children: ReactNode): ReactNode {
  return createElement('div', { style: { display: 'flex', ...style } }, children);
}

function cardTree({ title, section, brand }: Card): ReactNode {
  const channel = (top: number, colour: string, thickness: number) =>
    box({ position: 'absolute', left: 0, top, width, height: thickness, background: colour }, '');
  return box({ width, height, background: '#fbf9f4', color: '#1c2430', fontFamily: 'Display', position: 'relative' }, [
    box({ position: 'absolute', left: 80, top: 72, fontSize: 34, color: '#566070' }, section),
    box({ position: 'absolute', left: 80, top: 132, width: 1040, height: 330, alignItems: 'center' }, [
      box({ fontSize: title.length > 60 ? 60 : 76, lineHeight: 1.12, letterSpacing: '-0.02em' }, title),
    ]),
    channel(488, '#e3ddd0', 2),
    channel(496, '#0f5fa8', 6),
    channel(508, '#e3ddd0', 2),
    box({ position: 'absolute', left: 80, top: 540, fontSize: 40 }, brand.name),
  ]);
}

/**
 * Draws a preview picture for social networks.
 * @returns PNG, 1200 × 630 px
 */
export async function drawCard(card: Card): Promise<Buffer> {
  // Imported for the first picture, so a server that draws none does not load them.
  const [{ default: satori }, { renderAsync }, data] = await Promise.all([
    import('satori'),
    import('@resvg/resvg-js'),
    readFile(new URL('./schibsted-grotesk-600.woff', import.meta.url)),
  ]);
  const svg = await satori(cardTree(card), { width, height, fonts: [{ name: 'Display', data, weight: 600 }] });
  const { pixels } = await renderAsync(svg, { font: { loadSystemFonts: false } });
  return encodePng(pixels, width, height);
}
