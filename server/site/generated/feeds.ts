import { Feed } from 'feed';
import type { Site } from '../../../client/contract/site.ts';
import type { Content } from '../../content/content.ts';

/** The blog as one feed, newest first; `rss2()`, `atom1()` and `json1()` write it out. */
export function blogFeed(content: Content, { brand, publicUrl }: Site): Feed {
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
      title: post.title,
      description: post.description,
      date: new Date(post.date),
      published: new Date(post.date),
      author: post.authors.map((author) => ({ name: author.label, link: `${publicUrl}/blog/authors/${author.name}` })),
      category: post.tags.map((tag) => ({ name: tag.label, term: tag.id })),
    });
  }
  return feed;
}
