import { Feed } from 'feed';
import type { Site } from '../../../client/contract/site.ts';
import type { Content } from '../../content/content.ts';

type Text = (text: string) => string;

/** The blog as one feed, newest first; titles and descriptions are encoded as the format requires. */
function blogFeed(content: Content, { brand, publicUrl }: Site, title: Text, description: Text): Feed {
  const posts = [...content.posts.values()];
  const updated = posts[0] ? new Date(posts[0].date) : new Date(0);
  const feed = new Feed({
    id: `${publicUrl}/blog`,
    link: `${publicUrl}/blog`,
    title: `${brand.name} blog`,
    description: brand.description,
    language: 'en',
    copyright: brand.legalName,
    favicon: `${publicUrl}/favicon-${brand.id}.svg`,
    updated,
    feedLinks: {
      rss: `${publicUrl}/blog/rss.xml`,
      atom: `${publicUrl}/blog/atom.xml`,
      json: `${publicUrl}/blog/feed.json`,
    },
  });
  for (const post of posts) {
    feed.addItem({
      id: `${publicUrl}${post.path}`,
      link: `${publicUrl}${post.path}`,
      title: title(post.title),
      description: description(post.description),
      date: new Date(post.date),
      published: new Date(post.date),
      ...(post.authors.length > 0 && {
        author: post.authors.map((author) => ({
          name: author.label,
          link: `${publicUrl}/blog/authors/${author.name}`,
        })),
      }),
      category: post.tags.map((tag) => ({ name: tag.label, term: tag.id })),
    });
  }
  return feed;
}

export function rss(content: Content, site: Site): string {
  return asXml(blogFeed(content, site, asWritten, asHtml).rss2());
}

export function atom(content: Content, site: Site): string {
  // The library leaves `<` unescaped in a category's attributes, which is not allowed in XML.
  const feed = blogFeed(content, site, asHtml, asHtml).atom1();
  return asXml(
    feed.replace(
      /<category label="[^"]*" term="[^"]*"\/>/g,
      (category) => `<${category.slice(1).replaceAll('<', '&lt;')}`,
    ),
  );
}

export function jsonFeed(content: Content, site: Site): string {
  // The library supports only HTML there; a description is plain text. A quote inside a text gets a backslash.
  return blogFeed(content, site, asWritten, asWritten).json1().replaceAll('"content_html":', '"content_text":');
}

const asWritten: Text = (text) => text;

/** Plain text where a format expects HTML: RSS descriptions, and whatever the library writes for Atom. */
const asHtml: Text = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Without the characters that are not allowed in XML, however they are encoded. */
function asXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it searches for.
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
}
