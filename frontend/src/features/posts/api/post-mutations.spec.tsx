import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import { aComment, aMe, aPost, aSession } from '../../../../test/a-post.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import type { Post } from '../../../api/types.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { settle } from '../../../components/feedback/undoable.js';
import { session } from '../../../server/session/session.js';
import { useAddComment } from './add-comment.js';
import { listComments } from './comment-cache.js';
import type { CommentPages } from './comment-cache.js';
import type { NewPost } from '../post-fields.js';
import { useCreatePost } from './create-post.js';
import { useDeletePost } from './delete-post.js';
import { useFeed } from './get-feed.js';
import { useNewerPosts } from './get-newer-posts.js';
import { useLikePost } from './like-post.js';
import { EMPTY_POST, newPostOf } from '../post-fields.js';

/** A promise and the functions that settle it. */
function later<T>() {
  let settle: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => (settle = resolve));
  return { promise, settle };
}

afterEach(() => act(() => session.forceSignOut()));

const newPost = (content: string) => newPostOf({ ...EMPTY_POST, content }, false);

let gateway: FakeGateway;
let feed: Post[];
beforeEach(() => {
  gateway = fakeGateway();
  feed = [aPost({ id: 'a' }), aPost({ id: 'b' })];
  gateway.on('GET /api/feed', () => ({ items: feed, nextCursor: null }));
});

async function aFeedWith<T>(useMutationUnderTest: () => T) {
  const { queryClient, wrapper } = aPageAround();
  const { result } = renderHook(() => ({ feed: useFeed(), mutation: useMutationUnderTest() }), { wrapper });
  await waitFor(() => expect(result.current.feed.posts).toHaveLength(2));
  const shown = () => result.current.feed.posts ?? [];
  return { queryClient, shown, mutation: () => result.current.mutation };
}

// Rule: POST-20
describe('liking a post', () => {
  it('shows at once, then believes the server’s count', async () => {
    const answer = later<unknown>();
    gateway.on('PUT /api/posts/a/like', () => answer.promise);
    const { shown, mutation } = await aFeedWith(() => useLikePost('a', jest.fn()));
    act(() => mutation().mutate(true));
    await waitFor(() => expect(shown()[0]).toMatchObject({ likedByViewer: true, likeCount: 3 }));
    answer.settle({ liked: true, likeCount: 9 });
    await waitFor(() => expect(shown()[0]).toMatchObject({ likedByViewer: true, likeCount: 9 }));
  });

  it('is taken back and told when it fails', async () => {
    gateway.on('PUT /api/posts/a/like', () => problem(500, 'internal'));
    const failed = jest.fn();
    const { shown, mutation } = await aFeedWith(() => useLikePost('a', failed));
    act(() => mutation().mutate(true));
    await waitFor(() => expect(failed).toHaveBeenCalledTimes(1));
    await waitFor(() => expect(shown()[0]).toMatchObject({ likedByViewer: false, likeCount: 2 }));
  });

  it('takes a post that is gone out of the lists', async () => {
    gateway.on('PUT /api/posts/a/like', () => problem(404, 'not-found'));
    const failed = jest.fn();
    const { shown, mutation } = await aFeedWith(() => useLikePost('a', failed));
    act(() => mutation().mutate(true));
    await waitFor(() => expect(failed).toHaveBeenCalledTimes(1));
    await waitFor(() => expect(shown().map(({ id }) => id)).toEqual(['b']));
  });

  it('toggled quickly goes out in order and ends as the last touch says', async () => {
    const first = later<unknown>();
    gateway.on('PUT /api/posts/a/like', () => first.promise);
    gateway.on('DELETE /api/posts/a/like', () => ({ liked: false, likeCount: 2 }));
    const { shown, mutation } = await aFeedWith(() => useLikePost('a', jest.fn()));
    act(() => mutation().mutate(true));
    act(() => mutation().mutate(false));
    await waitFor(() => expect(gateway.calls).toContain('PUT /api/posts/a/like'));
    expect(gateway.calls).not.toContain('DELETE /api/posts/a/like');
    first.settle({ liked: true, likeCount: 3 });
    await waitFor(() => expect(gateway.calls.at(-1)).toBe('DELETE /api/posts/a/like'));
    await waitFor(() => expect(shown()[0]).toMatchObject({ likedByViewer: false, likeCount: 2 }));
  });
});

// Rule: POST-13, UI-56
describe('deleting a post', () => {
  const outcome = { message: 'Post deleted successfully!', onFailed: jest.fn() };
  beforeEach(() => {
    jest.clearAllMocks();
    act(() => session.signIn(aSession('token')));
  });
  afterEach(() => act(clearFeedback));
  const finish = () => act(async () => void (await settle()));

  it('takes it out at once, and sends it when the toast goes', async () => {
    gateway.on('DELETE /api/posts/a', () => new Response(null, { status: 204 }));
    const { queryClient, shown, mutation } = await aFeedWith(() => useDeletePost(outcome));
    act(() => mutation()('a'));
    expect(shown().map(({ id }) => id)).toEqual(['b']);
    expect(getFeedback().toasts).toMatchObject([{ message: 'Post deleted successfully!' }]);
    await act(() => queryClient.refetchQueries());
    expect(shown().map(({ id }) => id)).toEqual(['b']);
    expect(gateway.calls).not.toContain('DELETE /api/posts/a');

    await finish();
    expect(gateway.calls).toContain('DELETE /api/posts/a');
    expect(outcome.onFailed).not.toHaveBeenCalled();
    // An answer that is older than the deletion.
    await act(() => queryClient.refetchQueries());
    expect(shown().map(({ id }) => id)).toEqual(['b']);
  });

  it('is not announced as a newer post meanwhile', async () => {
    const { shown, mutation } = await aFeedWith(() => ({
      remove: useDeletePost(outcome),
      newer: useNewerPosts(feed.slice(1), 0).newer,
    }));
    await waitFor(() => expect(mutation().newer).toBe(true));
    act(() => mutation().remove('a'));
    expect(shown().map(({ id }) => id)).toEqual(['b']);
    expect(mutation().newer).toBe(false);
  });

  it('puts it back in its place when it fails, and refetches', async () => {
    gateway.on('DELETE /api/posts/a', () => problem(500, 'internal'));
    const { shown, mutation } = await aFeedWith(() => useDeletePost(outcome));
    act(() => mutation()('a'));
    feed = [aPost({ id: 'c' }), ...feed];
    await finish();
    expect(outcome.onFailed).toHaveBeenCalledTimes(1);
    await waitFor(() => expect(shown().map(({ id }) => id)).toEqual(['c', 'a', 'b']));
  });

  it('puts several back when the server answers nothing any more', async () => {
    const { shown, mutation } = await aFeedWith(() => useDeletePost(outcome));
    for (const route of ['DELETE /api/posts/a', 'DELETE /api/posts/b', 'GET /api/feed'])
      gateway.on(route, () => problem(503, 'unavailable'));
    act(() => {
      mutation()('a');
      mutation()('b');
    });
    expect(shown()).toEqual([]);
    await finish();
    expect(outcome.onFailed).toHaveBeenCalledTimes(2);
    expect(shown().map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('leaves the author’s new posts pinned when it fails', async () => {
    gateway.on('DELETE /api/posts/new', () => problem(503, 'unavailable'));
    const { queryClient, shown, mutation } = await aFeedWith(() => useDeletePost(outcome));
    const pinned = [aPost({ id: 'newer' }), aPost({ id: 'new' })];
    feed = [...feed, ...pinned];
    act(() => void queryClient.setQueryData(queryKeys.pinnedPosts, pinned));
    act(() => mutation()('new'));
    await finish();
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(outcome.onFailed).toHaveBeenCalledTimes(1);
    await waitFor(() => expect(shown().map(({ id }) => id)).toEqual(['newer', 'new', 'a', 'b']));
  });

  it('of one that is gone already is a success', async () => {
    const { shown, mutation } = await aFeedWith(() => useDeletePost(outcome));
    act(() => mutation()('a'));
    await finish();
    expect(outcome.onFailed).not.toHaveBeenCalled();
    expect(shown().map(({ id }) => id)).toEqual(['b']);
  });
});

describe('publishing a post', () => {
  const wholeOf = async (post: NewPost) => post;
  const outcome = { wholeOf, onCreated: jest.fn(), onFailed: jest.fn() };
  beforeEach(() => {
    jest.clearAllMocks();
  });

  // Rule: POST-13
  it('pins it first, also when the refetched feed has it further down', async () => {
    const created = aPost({ id: 'new' });
    gateway.on('POST /api/posts', () => Response.json(created, { status: 201 }));
    const { shown, mutation } = await aFeedWith(() => useCreatePost(outcome));
    feed = [...feed, created];
    act(() => mutation().post(newPost('hello')));
    await waitFor(() => expect(gateway.calls.filter((call) => call === 'GET /api/feed')).toHaveLength(2));
    await waitFor(() => expect(shown().map(({ id }) => id)).toEqual(['new', 'a', 'b']));
  });

  // Rule: POST-12
  it('tries again under the same idempotency key, and another post under another', async () => {
    const keys: (string | null)[] = [];
    gateway.on('POST /api/posts', (request) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return keys.length === 1
        ? problem(503, 'unavailable')
        : Response.json(aPost({ id: 'new', author: { ...aPost().author, id: 'ben' } }), { status: 201 });
    });
    act(() => session.signIn(aSession('token')));
    const { mutation } = await aFeedWith(() => useCreatePost(outcome));
    for (const [before, content] of ['one', 'one', 'one'].entries()) {
      act(() => mutation().post(newPost(content)));
      await waitFor(() => expect(keys).toHaveLength(before + 1));
      await waitFor(() => expect(mutation().isPosting).toBe(false));
    }
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it('twice in a row, before anything is rendered, sends and shows it once', async () => {
    const created = aPost({ id: 'new' });
    gateway.on('POST /api/posts', () => Response.json(created, { status: 201 }));
    const { queryClient, shown, mutation } = await aFeedWith(() => useCreatePost(outcome));
    const body = newPost('hello');
    act(() => {
      mutation().post(body);
      mutation().post(body);
    });
    await waitFor(() => expect(shown().map(({ id }) => id)).toEqual(['new', 'a', 'b']));
    expect(gateway.calls.filter((call) => call === 'POST /api/posts')).toHaveLength(1);

    // The server answers a repeated key with the existing post.
    act(() => mutation().post(body));
    await waitFor(() => expect(outcome.onCreated).toHaveBeenCalledTimes(2));
    expect(queryClient.getQueryData(queryKeys.pinnedPosts)).toHaveLength(1);
    expect(shown().map(({ id }) => id)).toEqual(['new', 'a', 'b']);
  });

  it('that another page has sent is known here, and its outcome is told although that page is gone', async () => {
    const answer = later<unknown>();
    const keys: (string | null)[] = [];
    gateway.on('POST /api/posts', (request) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return answer.promise;
    });
    act(() => session.signIn(aSession('token')));
    const { wrapper } = aPageAround();
    const body = newPost('sent and left');
    const left = renderHook(() => useCreatePost(outcome), { wrapper });
    act(() => left.result.current.post(body));
    await waitFor(() => expect(keys).toHaveLength(1));
    left.unmount();

    const here = renderHook(() => useCreatePost({ wholeOf, onCreated: jest.fn(), onFailed: jest.fn() }), {
      wrapper,
    });
    expect(here.result.current.isPosting).toBe(true);
    answer.settle(problem(503, 'unavailable'));
    await waitFor(() => expect(here.result.current.isPosting).toBe(false));
    expect(outcome.onFailed).toHaveBeenCalledTimes(1);
    act(() => here.result.current.post(body));
    await waitFor(() => expect(keys).toHaveLength(2));
    expect(keys[1]).toBe(keys[0]);
  });
});

// Rule: POST-24
describe('commenting', () => {
  const loaded: CommentPages = { pages: [{ items: [], nextCursor: null }], pageParams: [undefined] };

  it('twice in a row sends one comment', async () => {
    gateway.on('POST /api/posts/a/comments', () => aComment());
    const { mutation } = await aFeedWith(() => useAddComment('a', aMe(), jest.fn()));
    act(() => {
      mutation().mutate('Well done');
      mutation().mutate('Well done');
    });
    await waitFor(() => expect(mutation().isSuccess).toBe(true));
    expect(gateway.calls.filter((call) => call === 'POST /api/posts/a/comments')).toHaveLength(1);
  });

  it('shows the comment at once and takes it back when it fails', async () => {
    const answer = later<unknown>();
    gateway.on('POST /api/posts/a/comments', () => answer.promise);
    const failed = jest.fn();
    const { queryClient, shown, mutation } = await aFeedWith(() => useAddComment('a', aMe(), failed));
    queryClient.setQueryData(queryKeys.comments.ofPost('a'), loaded);
    const comments = () =>
      listComments(queryClient.getQueryData<CommentPages>(queryKeys.comments.ofPost('a'))!);

    act(() => mutation().mutate('Well done'));
    await waitFor(() => expect(comments()).toMatchObject([{ content: 'Well done', pending: true }]));
    await waitFor(() => expect(shown()[0]?.commentCount).toBe(1));
    answer.settle(problem(500, 'internal'));
    await waitFor(() => expect(failed).toHaveBeenCalledWith(expect.anything(), 'Well done'));
    expect(comments()).toEqual([]);
    await waitFor(() => expect(shown()[0]?.commentCount).toBe(0));
  });
});
