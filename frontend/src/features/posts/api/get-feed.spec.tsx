import { afterEach, expect, it } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import { aMe, aPost, aSession } from '../../../../test/a-post.js';
import { fakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { session } from '../../../server/session/session.js';
import { useFeed } from './get-feed.js';

afterEach(() => act(() => session.forceSignOut()));

it('reading everything again leaves what is pinned, under its author’s new name', async () => {
  const gateway = fakeGateway();
  gateway.on('GET /api/feed', () => ({ items: [aPost({ id: 'a' })], nextCursor: null }));
  act(() => session.signIn(aSession('token')));
  const { queryClient, wrapper } = aPageAround();
  const { result } = renderHook(() => useFeed(), { wrapper });
  await waitFor(() => expect(result.current.posts).toHaveLength(1));
  const own = aPost({ id: 'new', author: { ...aPost().author, id: 'ben', name: 'Ben' } });
  act(() => void queryClient.setQueryData(queryKeys.pinnedPosts, [own]));

  // As after saving the profile or blocking a user.
  act(() => session.updateUser(aMe({ name: 'Benedict', isCoach: true })));
  await act(() => queryClient.invalidateQueries({ queryKey: queryKeys.posts.all }));
  expect(gateway.calls).toEqual(['GET /api/feed', 'GET /api/feed']);
  await waitFor(() => expect(result.current.posts?.map(({ id }) => id)).toEqual(['new', 'a']));
  expect(result.current.posts?.[0]?.author).toMatchObject({ id: 'ben', name: 'Benedict', isCoach: true });
  expect(result.current.posts?.[1]?.author.name).toBe('Ana');
});
