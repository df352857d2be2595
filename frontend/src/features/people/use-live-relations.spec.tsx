import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { aMe, aProfile } from '../../../test/a-post.js';
import { fakeGateway } from '../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../test/fake-gateway.js';
import { aPageAround } from '../../../test/render.js';
import { queryKeys } from '../../server/queries/query-keys.js';
import type { Profile, ProfileViewer } from '../../api/types.js';
import { emitLive } from '../../server/live/live-events.js';
import { useFollow } from './api/follow-user.js';
import { useLiveRelations } from './use-live-relations.js';

const stranger = aProfile().viewer!;
const coach = aProfile({ id: 'coach', stats: { ...aProfile().stats, followers: 7 } });

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
});

function aPageOfTheCoach() {
  const { queryClient, wrapper } = aPageAround();
  queryClient.setQueryData(queryKeys.profiles.byId('coach'), coach);
  queryClient.setQueryData(queryKeys.profiles.me, aMe({ id: 'ben' }));
  queryClient.setQueryData<unknown>(queryKeys.posts.feed, {});
  const { result } = renderHook(
    () => {
      useLiveRelations();
      return useFollow('coach', 'ben', jest.fn());
    },
    { wrapper },
  );
  return {
    profile: () => queryClient.getQueryData<Profile>(queryKeys.profiles.byId('coach'))!,
    follow: () => result.current.mutate(true),
    isStale: (key: typeof queryKeys.posts.feed) => queryClient.getQueryState(key)!.isInvalidated,
    feedReadAt: () => queryClient.getQueryState(queryKeys.posts.feed)!.dataUpdatedAt,
  };
}

const tell = (change: Partial<ProfileViewer>, userId = 'coach') =>
  act(() => emitLive({ type: 'graph', data: { userId, viewer: { ...stranger, ...change } } }));

// Rule: NOTIF-10
describe('a change between the viewer and another user', () => {
  it('by the viewer on another device is shown, with the count, and the feed is read again at its next visit', () => {
    const page = aPageOfTheCoach();
    tell({ following: true });
    expect(page.profile()).toMatchObject({ viewer: { following: true }, stats: { followers: 8 } });
    expect(page.feedReadAt()).toBe(1);
    tell({ following: true });
    expect(page.profile().stats.followers).toBe(8);
  });

  it('by the other user is shown', () => {
    const page = aPageOfTheCoach();
    tell({ followsYou: true });
    expect(page.profile()).toMatchObject({ viewer: { followsYou: true }, stats: { followers: 7 } });
    expect(page.feedReadAt()).not.toBe(1);
  });

  it('does not take back what this page is sending', () => {
    gateway.on('PUT /api/users/coach/follow', () => new Promise(() => undefined));
    const page = aPageOfTheCoach();
    act(() => page.follow());
    tell({ followsYou: true });
    expect(page.profile()).toMatchObject({
      viewer: { following: true, followsYou: true },
      stats: { followers: 8 },
    });
  });

  it('that is a block has everything read again, also where the profile is not known', () => {
    const page = aPageOfTheCoach();
    tell({ following: false });
    expect(page.isStale(queryKeys.posts.feed)).toBe(false);
    tell({ blocked: true }, 'somebody');
    expect(page.isStale(queryKeys.posts.feed)).toBe(true);
  });
});
