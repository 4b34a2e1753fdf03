import '../../client/styles/prose.css';
import '../parts/reading.css';
import './blog.css';
import type { PageProps } from '../../client/contract/pages.ts';
import { BlogHeader } from './BlogHeader.tsx';
import { PostList } from './PostList.tsx';
import { Years } from './Years.tsx';

/** Every post on one page. */
export default function BlogPage({ posts, years }: PageProps<'blog'>) {
  return (
    <div className="wrap reading reading-list">
      <Years years={years} />
      <div className="reading-text">
        <BlogHeader
          title="Blog"
          lede="Walkthroughs for one source and one target, the methods behind them, and news about the service."
          path="/blog"
        />
        <PostList posts={posts} />
      </div>
    </div>
  );
}
