import type { Head, PageProps } from '../../../client/contract/pages.ts';

export default function head({ post }: PageProps<'blog/post'>): Head {
  return {
    type: 'article',
    structured: [
      {
        '@type': 'Article',
        headline: post.title,
        description: post.description,
        datePublished: post.date,
        url: post.path,
        author: post.authors.map((author) => ({
          '@type': 'Organization',
          name: author.label,
          url: `/blog/authors/${author.name}`,
        })),
      },
      {
        '@type': 'BreadcrumbList',
        itemListElement: [
          { '@type': 'ListItem', position: 1, name: 'Blog', item: '/blog' },
          { '@type': 'ListItem', position: 2, name: post.title, item: post.path },
        ],
      },
    ],
  };
}
