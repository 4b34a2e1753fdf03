import { mkdirSync, mkdtempSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import pino from 'pino';
import type { Site } from '../../client/contract/site.ts';
import { readSiteConfig } from '../config/site.ts';
import type { FoundPage, SiteServices } from '../site/services.ts';
import { tinyContent } from './tiny-content.ts';

const site: Site = {
  brand: {
    id: 'millrace',
    name: 'Millrace',
    legalName: '',
    tagline: '',
    description: '',
    domain: 'site.example',
    supportEmail: '',
    salesEmail: '',
    privacyEmail: '',
    securityEmail: '',
  },
  navigation: { bar: [], footer: [] },
  closing: { title: '', lede: '', link: { label: '', href: '/' } },
  publicUrl: 'http://localhost:3000',
  cloudAppUrl: 'http://localhost:3000/console',
  icon: '/favicon.svg',
  deploySite: '',
  capabilities: { card: false, oidcName: 'single sign-on' },
  plainPassword: false,
  dataLayer: false,
  build: 'test',
};

const meta = { title: 'Page', description: '', indexed: true };
const pages = new Set(['/', '/why', '/docs/intro', '/login', '/register', '/registerFromMarket', '/big', '/crash']);

function findStub(path: string, query: URLSearchParams): ReturnType<SiteServices['findPage']> {
  const page: FoundPage = { kind: 'page', status: 200, folder: 'why', props: {}, meta, route: path, path };
  if (path === '/docs') return { kind: 'redirect', status: 302, to: '/docs/intro', route: '/docs' };
  if (path === '/connector') return { ...page, cacheKey: `${path}?kind=${query.get('kind') ?? ''}` };
  if (pages.has(path)) return { ...page, cacheKey: path };
  return { ...page, status: 404, route: '(not found)' };
}

/** The content of the stub's compressed style sheet. */
export const compressedStyle = 'a { color: blue }\n';

const line = '<p>Rows that change at the source are written at the target within three seconds.</p>\n';

/** Services for HTTP tests: a few pages without React, and a readable log. */
export function stubServices(
  env: Record<string, string> = {},
  changes: Partial<SiteServices> = {},
): SiteServices & { logged: Record<string, unknown>[]; renders: string[] } {
  const logged: Record<string, unknown>[] = [];
  const renders: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'millrace-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets', 'entry.A1b2C3.js'), 'console.log(1);\n'.repeat(200));
  writeFileSync(join(folder, 'assets', 'style.A1b2C3.css'), 'a { color: red }\n'.repeat(200));
  writeFileSync(join(folder, 'assets', 'style.A1b2C3.css.br'), brotliCompressSync(compressedStyle));
  writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder, 'large.csv'), 'a,b\n');
  // A sparse file takes no disk space; files above 1 MB are streamed instead of cached.
  truncateSync(join(folder, 'large.csv'), 1_200_000);
  const content = tinyContent();
  return {
    config: readSiteConfig(env),
    log: pino({ base: null }, { write: (text: string) => logged.push(JSON.parse(text)) }),
    content: () => content,
    site,
    findPage: findStub,
    render: async (page) => {
      renders.push(page.path);
      if (page.path === '/crash') throw new Error('boom');
      const html = `<!doctype html><title>${page.folder}</title>${line.repeat(page.path === '/big' ? 480 : 30)}`;
      return { status: page.status, html };
    },
    renderCrash: async (_site, requestId) => ({ status: 500, html: `<h1>This page crashed.</h1>${requestId}` }),
    clientDir: folder,
    staticDirs: [],
    logged,
    renders,
    ...changes,
  };
}
