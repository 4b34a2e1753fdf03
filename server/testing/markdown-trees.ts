import type { Element, ElementContent, Root } from 'hast';
import { VFile } from 'vfile';
import type { Brand } from '../../client/contract/site.ts';
import { emptyFront, type Front, type PageKind } from '../content/page-facts.ts';
import { element, text } from '../content/plugins/elements.ts';
import { newPageData, type PageData } from '../content/plugins/page-data.ts';

export const testBrand: Brand = {
  id: 'test',
  name: 'Testmill',
  legalName: 'Testmill Ltd.',
  tagline: 'A mill',
  description: 'A mill for tests',
  domain: 'test.example',
  supportEmail: 'support@test.example',
  salesEmail: 'sales@test.example',
  privacyEmail: 'privacy@test.example',
  securityEmail: 'security@test.example',
};

/** A file with page data. */
export function testFile(front: Partial<Front> = {}, kind: PageKind = 'doc'): { file: VFile; page: PageData } {
  const file = new VFile();
  const page = newPageData(kind, testBrand, { ...emptyFront(), ...front });
  file.data.page = page;
  return { file, page };
}

/** A tree; strings are text. */
export function root(...children: (Element | string)[]): Root {
  return { type: 'root', children: children.map(content) };
}

/** An element without properties; strings are text. */
export function el(name: string, ...children: (Element | string)[]): Element {
  return element(name, {}, children.map(content));
}

function content(child: Element | string): ElementContent {
  return typeof child === 'string' ? text(child) : child;
}
