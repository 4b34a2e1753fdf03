/** `1 post`, `12 posts`. */
export const countPosts = (posts: number) => `${posts} ${posts === 1 ? 'post' : 'posts'}`;
