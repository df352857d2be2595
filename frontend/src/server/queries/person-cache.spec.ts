import { QueryClient } from '@tanstack/react-query';
import { expect, it } from '@jest/globals';
import { aComment, aMe, aPost, aProfile } from '../../../test/a-post.js';
import { showPerson } from './person-cache.js';
import { queryKeys } from './query-keys.js';

// Rule: UI-67
it('a person who has changed is shown as they are now wherever the cache has them, and nothing else changes', () => {
  const cache = new QueryClient();
  const me = aMe();
  const author = { ...aPost().author, id: me.id };
  const others = [aPost({ id: 'other' })];
  const page = { items: [aPost({ author }), others[0]!], nextCursor: null };
  const untouched = { pages: [{ items: others }], pageParams: [] };
  const data = [
    [queryKeys.posts.feed, { pages: [page], pageParams: [undefined] }],
    [queryKeys.pinnedPosts, [aPost({ author })]],
    [queryKeys.comments.ofPost('p1'), { pages: [{ items: [aComment({ author })] }] }],
    [queryKeys.profiles.byId(me.id), aProfile({ id: me.id })],
    [queryKeys.posts.byUser('ana'), untouched],
  ] as const;
  for (const [key, value] of data) cache.setQueryData<unknown>(key, value, { updatedAt: 1 });
  void cache.invalidateQueries({ queryKey: queryKeys.posts.feed });

  showPerson(cache, { ...me, name: 'Ben the Second', profileImage: '/media/new/avatar' });

  const now = { name: 'Ben the Second', profileImage: '/media/new/avatar' };
  const changed = { author: { id: me.id, ...now } };
  expect(cache.getQueryData(queryKeys.posts.feed)).toMatchObject({
    pages: [{ items: [changed, { id: 'other' }] }],
  });
  expect(cache.getQueryData(queryKeys.pinnedPosts)).toMatchObject([changed]);
  expect(cache.getQueryData(queryKeys.comments.ofPost('p1'))).toMatchObject({
    pages: [{ items: [changed] }],
  });
  expect(cache.getQueryData(queryKeys.profiles.byId(me.id))).toMatchObject({ bio: '', ...now });
  expect(cache.getQueryData(queryKeys.posts.byUser('ana'))).toBe(untouched);
  const feed = cache.getQueryState(queryKeys.posts.feed)!;
  expect([feed.isInvalidated, feed.dataUpdatedAt]).toEqual([true, 1]);
});
