import { afterEach, expect, it } from '@jest/globals';
import { aMe, aSession } from '../../../test/a-post.js';
import { queryKeys } from './query-keys.js';
import { session } from '../session/session.js';

afterEach(() => session.forceSignOut());

it('what a viewer has read is gone when another signs in, also where the code came after the first sign-in', async () => {
  session.signIn(aSession('token', { user: aMe({ id: 'ana' }) }));
  // While Ana is signed in.
  await import('./queries.js');
  const { queryClient } = await import('./query-client.js');
  queryClient.setQueryData(queryKeys.profiles.me, { id: 'ana' });
  session.signIn(aSession('token', { user: aMe({ id: 'ben' }) }));
  await new Promise((resolve) => setTimeout(resolve));
  expect(queryClient.getQueryCache().getAll()).toEqual([]);
});

// Rule: UI-68
it('what a rendered page was made of counts as read now, and as old in a document that the browser had kept', async () => {
  const { seedQueries } = await import('./queries.js');
  const { queryClient } = await import('./query-client.js');
  // jsdom has none.
  const comeBy = (type: string) => Object.assign(performance, { getEntriesByType: () => [{ type }] });
  const key = (name: string) => queryKeys.posts.one(name);
  const isOld = (name: string) =>
    queryClient
      .getQueryCache()
      .find({ queryKey: key(name) })!
      .isStaleByTime(15_000);
  comeBy('navigate');
  seedQueries([[key('fresh'), 'one']]);
  comeBy('back_forward');
  seedQueries([
    [key('kept'), 'two'],
    [key('fresh'), 'older'],
  ]);
  expect([isOld('fresh'), isOld('kept')]).toEqual([false, true]);
  expect([key('fresh'), key('kept')].map((one) => queryClient.getQueryData(one))).toEqual(['one', 'two']);
  queryClient.clear();
  Reflect.deleteProperty(performance, 'getEntriesByType');
});
