import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { QueryClient } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { aMe, aProfile } from '../../../../test/a-post.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import type { ProfilePages } from '../../../server/queries/profile-cache.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import type { Me, Profile } from '../../../api/types.js';
import { useBlock } from './block-user.js';
import type { UserPages } from './block-user.js';
import { useFollow } from './follow-user.js';
import { userListKey } from './people-lists.js';

function later() {
  let settle: (value: unknown) => void = () => undefined;
  const promise = new Promise<unknown>((resolve) => (settle = resolve));
  return { promise, settle };
}

const PUT = 'PUT /api/users/coach/follow';
const DELETE = 'DELETE /api/users/coach/follow';
const coach = aProfile({ id: 'coach', stats: { ...aProfile().stats, followers: 7 } });

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
});

/** A cache with the coach by id and in the directory, and the viewer's own profile. */
function aPageShowing<T>(useMutationUnderTest: () => T) {
  const { queryClient, wrapper } = aPageAround();
  const directory: ProfilePages = { pages: [{ items: [coach], nextCursor: null }], pageParams: [undefined] };
  queryClient.setQueryData(queryKeys.profiles.byId('coach'), coach);
  queryClient.setQueryData(queryKeys.profiles.coaches('', ''), directory);
  queryClient.setQueryData(queryKeys.profiles.me, aMe({ id: 'ben' }));
  const { result } = renderHook(useMutationUnderTest, { wrapper });
  const shown = () => queryClient.getQueryData<Profile>(queryKeys.profiles.byId('coach'))!;
  return {
    queryClient,
    mutation: () => result.current,
    shown: () => ({ following: shown().viewer?.following, followers: shown().stats.followers }),
    profile: shown,
    listed: () =>
      queryClient.getQueryData<ProfilePages>(queryKeys.profiles.coaches('', ''))!.pages[0]!.items[0]!.stats
        .followers,
    own: () => queryClient.getQueryData<Me>(queryKeys.profiles.me)!.stats.following,
  };
}

// Rule: PEOPLE-21
describe('following', () => {
  it('shows at once everywhere, then believes the server’s count', async () => {
    const answer = later();
    gateway.on(PUT, () => answer.promise);
    const page = aPageShowing(() => useFollow('coach', 'ben', jest.fn()));
    act(() => page.mutation().mutate(true));
    await waitFor(() => expect(page.shown()).toEqual({ following: true, followers: 8 }));
    expect(page.listed()).toBe(8);
    expect(page.own()).toBe(1);
    answer.settle({ following: true, followerCount: 12 });
    await waitFor(() => expect(page.shown()).toEqual({ following: true, followers: 12 }));
  });

  it('is taken back and told when it fails', async () => {
    gateway.on(PUT, () => problem(500, 'internal'));
    const failed = jest.fn();
    const page = aPageShowing(() => useFollow('coach', 'ben', failed));
    act(() => page.mutation().mutate(true));
    await waitFor(() => expect(failed).toHaveBeenCalledTimes(1));
    expect(failed.mock.calls[0]?.[1]).toBe(true);
    await waitFor(() => expect(page.shown()).toEqual({ following: false, followers: 7 }));
    expect(page.own()).toBe(0);
  });

  it('toggled quickly goes out in order and ends as the last touch says', async () => {
    const first = later();
    gateway.on(PUT, () => first.promise);
    gateway.on(DELETE, () => ({ following: false, followerCount: 7 }));
    const page = aPageShowing(() => useFollow('coach', 'ben', jest.fn()));
    act(() => page.mutation().mutate(true));
    act(() => page.mutation().mutate(false));
    await waitFor(() => expect(gateway.calls).toContain(PUT));
    expect(gateway.calls).not.toContain(DELETE);
    first.settle({ following: true, followerCount: 8 });
    await waitFor(() => expect(gateway.calls).toContain(DELETE));
    await waitFor(() => expect(page.shown()).toEqual({ following: false, followers: 7 }));
  });

  it('leaves a count that is not known alone', async () => {
    const answer = later();
    gateway.on(PUT, () => answer.promise);
    const page = aPageShowing(() => useFollow('coach', 'ben', jest.fn()));
    page.queryClient.setQueryData(queryKeys.profiles.byId('coach'), {
      ...coach,
      stats: { ...coach.stats, followers: null },
    });
    act(() => page.mutation().mutate(true));
    await waitFor(() => expect(page.shown()).toEqual({ following: true, followers: null }));
  });
});

describe('blocking', () => {
  const outcome = { onDone: jest.fn(), onFailed: jest.fn() };
  const change = { user: { id: 'coach', name: 'Coach' }, blocked: true };
  beforeEach(() => {
    jest.clearAllMocks();
  });

  it('ends the follow once the server has said so', async () => {
    gateway.on('PUT /api/users/coach/block', () => new Response(null, { status: 204 }));
    const page = aPageShowing(() => useBlock(outcome));
    page.queryClient.setQueryData(queryKeys.profiles.byId('coach'), {
      ...coach,
      viewer: { ...coach.viewer, following: true, followsYou: true },
    });
    act(() => page.mutation().mutate(change));
    await waitFor(() => expect(outcome.onDone).toHaveBeenCalledWith(change));
    expect(page.profile().viewer).toMatchObject({ blocked: true, following: false, followsYou: false });
    expect(page.profile().stats.followers).toBe(6);
  });

  it('that fails changes nothing and is told', async () => {
    gateway.on('PUT /api/users/coach/block', () => problem(503, 'unavailable'));
    const page = aPageShowing(() => useBlock(outcome));
    act(() => page.mutation().mutate(change));
    await waitFor(() => expect(outcome.onFailed).toHaveBeenCalledTimes(1));
    expect(page.profile()).toEqual(coach);
  });
});

describe('unblocking', () => {
  const route = 'DELETE /api/users/coach/block';
  const blocked = (page: { queryClient: QueryClient }) =>
    page.queryClient
      .getQueryData<UserPages>(userListKey('blocks', 'ben'))!
      .pages.flatMap(({ items }) => items.map(({ id }) => id));

  function aListOfBlocked(onFailed: () => void) {
    const page = aPageShowing(() => useBlock({ onDone: jest.fn(), onFailed }));
    page.queryClient.setQueryData<UserPages>(userListKey('blocks', 'ben'), {
      pages: [{ items: [coach], nextCursor: null }],
      pageParams: [undefined],
    });
    return page;
  }

  it('takes the person out of the list at once', async () => {
    const answer = later();
    gateway.on(route, () => answer.promise);
    const page = aListOfBlocked(jest.fn());
    act(() => page.mutation().mutate({ user: coach, blocked: false }));
    await waitFor(() => expect(blocked(page)).toEqual([]));
    answer.settle(new Response(null, { status: 204 }));
    await waitFor(() => expect(page.mutation().isSuccess).toBe(true));
    expect(blocked(page)).toEqual([]);
  });

  it('is taken back and told when it fails', async () => {
    gateway.on(route, () => problem(500, 'internal'));
    const failed = jest.fn();
    const page = aListOfBlocked(failed);
    act(() => page.mutation().mutate({ user: coach, blocked: false }));
    await waitFor(() => expect(failed).toHaveBeenCalledTimes(1));
    expect(blocked(page)).toEqual(['coach']);
  });
});
