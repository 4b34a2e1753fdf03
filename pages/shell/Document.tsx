import type { ReactNode } from 'react';
import { firstPaint } from '../../client/contract/first-paint.ts';
import { frameIds } from '../../client/contract/frame-ids.ts';
import type { Head, PageMeta } from '../../client/contract/pages.ts';
import type { Site } from '../../client/contract/site.ts';
import { mainText } from '../parts/main-text.ts';
import { Announcement } from './Announcement.tsx';
import { Bar } from './Bar.tsx';
import { Footer } from './Footer.tsx';
import { Social } from './Social.tsx';
import { StructuredData } from './StructuredData.tsx';

/** The whole HTML document around a page's own content. */
export function Document({
  site,
  meta,
  head,
  path,
  startsWithSidebar,
  children,
}: {
  site: Site;
  meta: PageMeta;
  head: Head | undefined;
  path: string;
  /** The page gives the id of the main text to an element of its own, after a sidebar. */
  startsWithSidebar: boolean;
  children: ReactNode;
}) {
  const title = path === '/' ? `${site.brand.name} · ${meta.title}` : `${meta.title} · ${site.brand.name}`;
  return (
    <html lang="en" data-announcement={site.announcement?.id} data-deploy-site={site.deploySite || undefined}>
      <head>
        <meta charSet="utf-8" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, allowed by its hash */}
        <script dangerouslySetInnerHTML={{ __html: firstPaint }} />
        <script noModule src="/no-modules.js" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#fbf9f4" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0f1722" media="(prefers-color-scheme: dark)" />
        <title>{title}</title>
        <meta name="description" content={meta.description} />
        {!meta.indexed && <meta name="robots" content="noindex" />}
        {meta.canonical && <link rel="canonical" href={`${site.publicUrl}${meta.canonical}`} />}
        {meta.canonical && (
          <>
            <Social site={site} meta={meta} canonical={meta.canonical} type={head?.type} />
            <StructuredData site={site} structured={head?.structured} />
          </>
        )}
        <link rel="alternate" type="application/rss+xml" title={`${site.brand.name} blog`} href="/blog/rss.xml" />
        <link rel="icon" href={site.icon} type="image/svg+xml" />
        <meta name="build" content={site.build} />
        {site.dataLayer && <meta name="data-layer" />}
      </head>
      <body>
        <a className="skip-link" href={`#${frameIds.main}`}>
          Skip to main content
        </a>
        {site.announcement && <Announcement announcement={site.announcement} />}
        <Bar site={site} path={path} />
        <main {...(startsWithSidebar ? {} : mainText)}>{children}</main>
        <Footer site={site} />
      </body>
    </html>
  );
}
