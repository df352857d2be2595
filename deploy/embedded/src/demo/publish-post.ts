import { type PublishPostRequest, Visibility } from '@pulso/contracts/posts/v1/posts';
import { type DemoActs, HOUR_MS, MINUTE_MS } from './demo-acts.js';
import type { DemoPost } from './post.js';

/** The images or the video of a post, and media's ticket for them. */
export type PostMedia = Pick<PublishPostRequest, 'images' | 'video' | 'ticket'>;

const NO_MEDIA: PostMedia = { images: [], ticket: undefined };

export interface Publication {
  post: DemoPost;
  /** Its place in the list of all posts. */
  index: number;
  /** Whether an earlier seed may have published it. */
  isRepetition: boolean;
  /** Called for a post that is not there yet, at its time. */
  media?: () => Promise<PostMedia>;
}

/** Publishes a post of the demo with its likes and comments; what is there stays as it is. */
export async function publishPost(
  acts: DemoActs,
  { post, index, isRepetition, media }: Publication,
): Promise<void> {
  const { posts } = acts.clients;
  // Not all at the same minute of an hour.
  const at = acts.now - post.hoursAgo * HOUR_MS - ((index * 37) % 60) * MINUTE_MS;
  const once = (part: string) => ({ key: `demo-${index}-${part}`, scope: 'seed', bodyHash: part });
  const id = (isRepetition && (await findPost(acts, post))) || (await create());
  const existing = isRepetition ? await commentsOf(acts, post, id) : new Map<string, string>();
  const { likedBy = [], comments = [] } = post;
  for (const [order, username] of likedBy.entries()) {
    await acts.as(username, at + (order + 1) * 11 * MINUTE_MS, () => posts.likePost({ postId: id }));
  }
  for (const [number, { author, minutesLater, content, likedBy: fans = [] }] of comments.entries()) {
    const time = at + minutesLater * MINUTE_MS;
    const comment = () => posts.addComment({ postId: id, content, idempotency: once(`comment-${number}`) });
    const commentId = existing.get(content) ?? (await acts.as(author, time, comment)).id;
    for (const [order, username] of fans.entries()) {
      await acts.as(username, time + (order + 1) * 7 * MINUTE_MS, () => posts.likeComment({ commentId }));
    }
  }

  async function create(): Promise<string> {
    const visibility =
      post.visibility === 'public' ? Visibility.VISIBILITY_PUBLIC : Visibility.VISIBILITY_SUBSCRIBERS;
    const { content } = post;
    const created = await acts.as(post.author, at, async () =>
      posts.publishPost({
        content,
        visibility,
        ...((await media?.()) ?? NO_MEDIA),
        idempotency: once('post'),
      }),
    );
    return created.id;
  }
}

/** The keys of an earlier, killed seed may be forgotten already: their times are in the past. */
async function findPost(acts: DemoActs, { author, content }: DemoPost): Promise<string | undefined> {
  const { posts } = acts.clients;
  const list = () => posts.listUserPosts({ userId: acts.idOf(author), limit: 50, cursor: '' });
  return (await acts.as(author, acts.now, list)).items.find((post) => post.content === content)?.id;
}

async function commentsOf(
  acts: DemoActs,
  { author }: DemoPost,
  postId: string,
): Promise<Map<string, string>> {
  const list = () => acts.clients.posts.listComments({ postId, limit: 50, cursor: '' });
  const { items } = await acts.as(author, acts.now, list);
  return new Map(items.map(({ id, content }) => [content, id]));
}
