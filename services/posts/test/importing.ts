import { type CommentToImport, type PostToImport, Visibility } from '@pulso/contracts/posts/v1/posts';
import { newId, newIdAt } from '@pulso/platform/ids/uuid-v7';
import type { TestPosts } from './start.js';

/** The time of what is imported, unless another is given. */
export const YEAR_AGO = Date.UTC(2025, 9, 1);

export const aPost = (fields: Partial<PostToImport> & Partial<PostToImport['post']> = {}): PostToImport => {
  const { sourceId = newIdAt(YEAR_AGO), editedAt, ...post } = fields;
  const visibility = Visibility.VISIBILITY_PUBLIC;
  const draft = { content: 'five squats', visibility, images: [], idempotency: undefined };
  return { sourceId, editedAt, post: { ...draft, ...post } };
};
export const aComment = (postSourceId: string, fields: Partial<CommentToImport> = {}): CommentToImport => ({
  ...{ sourceId: newIdAt(YEAR_AGO + 1_000), postSourceId, content: 'and five more' },
  ...fields,
});

/** The calls of an import, to the posts of a suite. */
export const importing = (posts: () => TestPosts) => ({
  /** A user who has begun to import. */
  async importer(isCoach = false): Promise<string> {
    const user = await posts().user({ isCoach });
    await posts().as(user, (client) => client.beginImport({ sourceUserId: newId() }));
    return user;
  },
  importPosts: async (user: string, ...wanted: PostToImport[]) =>
    (await posts().as(user, (client) => client.importPosts({ posts: wanted }))).ids,
  importComments: async (user: string, ...comments: CommentToImport[]) =>
    (await posts().as(user, (client) => client.importComments({ comments }))).ids,
  postOf: (user: string | null, id: string) => posts().as(user, (client) => client.getPost({ id })),
  stateOf: (user: string) => posts().as(user, (client) => client.getImport({})),
});
