import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A tool that renders a golden file, with the smallest site that the file needs. */
export interface Tool {
  golden: string;
  name: string;
  /** What else took part in rendering the page. */
  besides?: string;
  /** Below the tools' folder. */
  folder: string;
  version: (home: string) => string;
  files: Record<string, string>;
  /** The golden file's place in the site. */
  source: string;
  /** Runs in the site's folder. */
  command: string[];
  /** The page that the command writes; without it the command prints the page. */
  page?: string;
  /** The tags around the text in the page. */
  start: string;
  end: string;
}

const document = '# Other\n\n## Part\n';
const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';

export const tools: Tool[] = [
  {
    golden: 'hugo.md',
    name: 'Hugo',
    besides: 'the shortcodes of hugo-book v9 and Docsy 83c5cc14',
    folder: 'hugo',
    version: () => printed('hugo', 'version', /v([\d.]+)/),
    files: {
      'config.json': JSON.stringify({
        baseURL: 'https://site.example/',
        theme: 'shortcodes',
        themesDir: '..',
        params: { version: '1.2' },
        disableKinds: ['taxonomy', 'term', 'RSS', 'sitemap'],
        enableEmoji: true,
        markup: { goldmark: { renderer: { unsafe: true } } },
      }),
      'layouts/_default/single.html': '<article>{{ .Content }}</article>',
      'content/guide.md': document,
      'content/b.md': document,
    },
    source: 'content/page.md',
    command: ['hugo', '--quiet'],
    page: 'public/page/index.html',
    start: '<article>',
    end: '</article>',
  },
  {
    golden: 'jekyll.md',
    name: 'Jekyll',
    folder: 'jekyll',
    version: () => printed('jekyll', '--version', /([\d.]+)/),
    files: {
      '_config.yml': JSON.stringify({
        version: 1.2,
        repo: 'https://repo.example',
        rows: [1],
        collections: { docs: { output: true } },
      }),
      '_layouts/post.html': '<article>{{ content }}</article>',
      '_includes/note.html': 'Included {{ include.content }}.',
      '_docs/b.md': `---\n---\n${document}`,
      '_posts/2020-01-02-c.md': `---\n---\n${document}`,
    },
    source: 'page.md',
    command: ['jekyll', 'build', '--quiet'],
    page: '_site/page.html',
    start: '<article>',
    end: '</article>',
  },
  {
    golden: 'mkdocs.md',
    name: 'MkDocs',
    besides: 'Material 8.2.5 and pymdown-extensions 9.5',
    folder: 'mkdocs',
    version: () => printed('mkdocs', '--version', /([\d.]+)/),
    files: {
      'mkdocs.yml': `
site_name: Site
theme: { name: material }
plugins: []
markdown_extensions:
  - abbr
  - admonition
  - attr_list
  - def_list
  - footnotes
  - md_in_html
  - tables
  - toc: { permalink: true }
  - pymdownx.arithmatex: { generic: true }
  - pymdownx.caret
  - pymdownx.details
  - pymdownx.emoji:
      emoji_index: !!python/name:materialx.emoji.twemoji
      emoji_generator: !!python/name:materialx.emoji.to_svg
      options: { custom_icons: [/usr/share/mkdocs/themes/material/.icons] }
  - pymdownx.highlight: { pygments_lang_class: true }
  - pymdownx.inlinehilite
  - pymdownx.keys
  - pymdownx.mark
  - pymdownx.snippets
  - pymdownx.superfences
  - pymdownx.tabbed: { alternate_style: true }
  - pymdownx.tasklist
  - pymdownx.tilde
`,
      'docs/index.md': document,
      'docs/other.md': document,
      'docs/c.svg': picture,
    },
    source: 'docs/page.md',
    command: ['mkdocs', 'build', '--quiet'],
    page: 'site/page/index.html',
    start: '<article',
    end: '</article>',
  },
  {
    golden: 'docusaurus.mdx',
    name: 'Docusaurus',
    folder: 'docusaurus',
    version: (home) => installed(home, '@docusaurus/core'),
    files: {
      'package.json': '{}',
      'docusaurus.config.mjs': `export default {
  title: 'Site', url: 'https://site.example', baseUrl: '/', onBrokenLinks: 'ignore', onBrokenAnchors: 'ignore',
  presets: [['classic', { docs: { routeBasePath: '/' }, blog: false }]],
};`,
      'docs/other.md': document,
      'docs/a.png': '',
    },
    source: 'docs/page.mdx',
    command: [process.execPath, '../node_modules/@docusaurus/core/bin/docusaurus.mjs', 'build'],
    page: 'build/install/index.html',
    start: '<div class="theme-doc-markdown',
    end: '</article>',
  },
  {
    golden: 'vitepress.md',
    name: 'VitePress',
    folder: 'vitepress',
    version: (home) => installed(home, 'vitepress'),
    files: {
      'package.json': '{ "type": "module" }',
      '.vitepress/config.js': 'export default { ignoreDeadLinks: true };',
      'other.md': document,
      'c.svg': picture,
    },
    source: 'page.md',
    command: [process.execPath, '../node_modules/vitepress/bin/vitepress.js', 'build'],
    page: '.vitepress/dist/page.html',
    start: '<main',
    end: '</main>',
  },
  {
    golden: 'nuxt-content.md',
    name: '@nuxtjs/mdc',
    folder: 'nuxt',
    version: (home) => installed(home, '@nuxtjs/mdc'),
    files: {
      // The parser's tree as HTML: site components, such as Nuxt UI's, keep their names and properties.
      'render.mjs': `import { readFileSync } from 'node:fs';
import { parseMarkdown } from '@nuxtjs/mdc/runtime';
import { toHtml } from 'hast-util-to-html';
import emoji from 'remark-emoji';
const options = { highlight: false, remark: { plugins: { 'remark-emoji': { instance: emoji } } } };
const { body } = await parseMarkdown(readFileSync('page.md', 'utf8'), options);
const named = (tag) => (tag === 'template' ? 'slot' : tag);
const asHast = (_, value) => (value?.tag ? { ...value, tagName: named(value.tag), properties: value.props } : value);
console.log('<main>' + toHtml(JSON.parse(JSON.stringify(body), asHast)) + '</main>');`,
    },
    source: 'page.md',
    command: [process.execPath, 'render.mjs'],
    start: '<main>',
    end: '</main>',
  },
];

function printed(command: string, argument: string, version: RegExp): string {
  return version.exec(execFileSync(command, [argument], { encoding: 'utf8' }))?.[1] ?? '';
}

function installed(home: string, name: string): string {
  const { version } = JSON.parse(readFileSync(join(home, 'node_modules', name, 'package.json'), 'utf8'));
  return String(version);
}
