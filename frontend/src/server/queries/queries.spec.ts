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
