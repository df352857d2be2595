import type { FakeGateway } from './fake-gateway.js';
import { anImage } from './an-image.js';

interface SentPost {
  sourceId: string;
  content: string;
  images: { id: string }[];
  video: unknown;
}

interface SentComment {
  sourceId: string;
  postSourceId: string;
}

export interface FakeImport {
  /** What is there, by its id in the source. */
  posts: Map<string, SentPost>;
  comments: Map<string, SentComment>;
  /** The pictures that were uploaded: purpose and name. */
  uploads: string[];
  /** Answers a call in place of the server, where it returns something. */
  intercept: (
    answer: (route: string, body: { posts?: SentPost[]; comments?: SentComment[] }) => unknown,
  ) => void;
}

/** A server that takes an import: what is there stays, whatever is sent again. */
export function fakeImport(gateway: FakeGateway): FakeImport {
  const posts = new Map<string, SentPost>();
  const comments = new Map<string, SentComment>();
  const uploads: string[] = [];
  let sourceUserId: string | null = null;
  let intercepted: Parameters<FakeImport['intercept']>[0] = () => undefined;
  const state = () => ({ sourceUserId, posts: posts.size, comments: comments.size });

  const on = <Body>(route: string, answer: (body: Body) => unknown) =>
    gateway.on(route, async (request) => {
      const body = (request.method === 'GET' ? {} : await request.json()) as Body;
      return (await intercepted(route, body as object)) ?? answer(body);
    });
  on('GET /api/me/import', state);
  on<{ sourceUserId: string }>('POST /api/me/import', (body) => {
    ({ sourceUserId } = body);
    return state();
  });
  on<{ posts: string[]; comments: string[] }>('POST /api/me/import/pending', (ids) => ({
    posts: ids.posts.filter((id) => !posts.has(id)),
    comments: ids.comments.filter((id) => !comments.has(id)),
  }));
  on<{ posts: SentPost[] }>('POST /api/me/import/posts', ({ posts: sent }) => {
    for (const post of sent) posts.set(post.sourceId, post);
    return { posts: sent.map(({ sourceId }) => ({ sourceId, id: `new-${sourceId}` })) };
  });
  on<{ comments: SentComment[] }>('POST /api/me/import/comments', ({ comments: sent }) => {
    for (const comment of sent) comments.set(comment.sourceId, comment);
    return { comments: sent.map(({ sourceId }) => ({ sourceId, id: `new-${sourceId}` })) };
  });
  gateway.on('POST /api/media/images', async (request) => {
    const refusal = await intercepted('POST /api/media/images', {});
    if (refusal !== undefined) return refusal;
    const form = await request.formData();
    uploads.push(`${String(form.get('purpose'))} ${String(form.get('originalName'))}`);
    return Response.json(anImage({ id: `up${uploads.length}` }), { status: 201 });
  });
  return { posts, comments, uploads, intercept: (answer) => void (intercepted = answer) };
}
