import type { Author, Compiled, PostCard, Tag } from '../../client/contract/reading.ts';
import type { Content, DocEntry, PostEntry } from '../content/content.ts';

const ai: Tag = { id: 'ai', label: 'AI', description: '' };
const desk: Author = { name: 'desk', label: 'Desk', title: '', description: '' };

function compiled(text: string): Compiled {
  return {
    tree: {
      type: 'root',
      children: [
        { type: 'element', tagName: 'p', properties: {}, children: [{ type: 'text', value: text }] },
        { type: 'element', tagName: 'h2', properties: { id: 'grants' }, children: [{ type: 'text', value: 'Grants' }] },
        {
          type: 'element',
          tagName: 'p',
          properties: {},
          children: [{ type: 'text', value: 'A reader needs REPLICATION SLAVE & no more.' }],
        },
      ],
    },
    toc: [{ depth: 2, id: 'grants', text: 'Grants' }],
    text,
    readingMinutes: 1,
  };
}

function doc(path: string, title: string, more: Partial<DocEntry> = {}): DocEntry {
  return {
    path,
    title,
    description: `About ${title}`,
    file: `${path.slice(1)}.md`,
    hasSidebar: true,
    breadcrumbs: [{ label: 'Guides' }],
    readingMinutes: 1,
    ...more,
  };
}

function post(path: string, title: string, date: string): PostEntry {
  const card: PostCard = {
    path,
    title,
    description: `About ${title}`,
    date,
    tags: [ai],
    authors: [desk],
    readingMinutes: 1,
    excerpt: { type: 'root', children: [] },
  };
  return { ...card, file: `${path.slice(1)}.md` };
}

/** A tiny invented site for tests: two documents, two posts from two years, one tag, one author. */
export function tinyContent(): Content {
  const docs = [
    doc('/docs/intro/product_intro', 'Overview'),
    doc('/docs/connection/mysql', 'MySQL', { connection: 'mysql' }),
    doc('/docs/releaseNote/rn-0-1-0', 'Release 0.1.0', { date: '2024-10-31' }),
  ];
  const posts = [
    post('/blog/ai/second', 'Second post', '2025-02-01'),
    post('/blog/blog/first', 'First post', '2024-02-01'),
  ];
  const bodies = new Map(
    [...docs, ...posts].map((page) => [page.path, compiled(`${page.title} text about heartbeats`)]),
  );
  bodies.set('/markdown-page', compiled('A page of markdown'));
  return {
    version: 'tiny',
    docs: new Map(docs.map((entry) => [entry.path, entry])),
    posts: new Map(posts.map((entry) => [entry.path, entry])),
    markdownPages: new Map([
      ['markdown-page', { title: 'Markdown', description: 'One page', file: 'pages/markdown-page.md' }],
    ]),
    sidebar: [{ label: 'Guides', items: docs.map((entry) => ({ label: entry.title, href: entry.path })) }],
    tags: [{ tag: ai, posts }],
    authors: [{ author: desk, posts }],
    years: [
      { year: '2025', posts: posts.slice(0, 1) },
      { year: '2024', posts: posts.slice(1) },
    ],
    order: docs.map((entry) => ({ label: entry.title, href: entry.path })),
    moved: new Map([['/docs/old/mysql', '/docs/connection/mysql']]),
    files: new Map(),
    body(path) {
      const body = bodies.get(path);
      if (!body) throw new Error(`no body for ${path}`);
      return body;
    },
    source: async (path) => `Source of ${path}`,
    faults: [],
    stats: { pages: bodies.size, compiled: 0, cached: 0, leftOut: 0, ms: 0 },
  };
}
