import type { PagePropsByFolder } from '../../../client/contract/pages.ts';
import type { Content } from '../../content/content.ts';
import type { PageRequest, PageResult } from './page-request.ts';

/** What /about shows: every release note that has a date or is planned. */
export function aboutProps({ content, data }: PageRequest): PageResult<'about'> {
  return { props: { text: data.texts.about, releases: releases(content) } };
}

/** Newest first. */
function releases(content: Content): PagePropsByFolder['about']['releases'] {
  return [...content.docs.values()]
    .flatMap((doc) => {
      const version = /^\/docs\/releaseNote\/rn-(\d+)-(\d+)-(\d+)$/.exec(doc.path)?.slice(1).join('.');
      if (version === undefined || !(doc.date || doc.planned)) return [];
      // The list says itself which ones are planned.
      const description = doc.date ? doc.description : doc.description.replace(/^Planned\. /, '');
      return [{ version, ...(doc.date && { date: doc.date }), href: doc.path, description }];
    })
    .sort((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }));
}
