import type { Dashboard, OwnSubscription, Profile, Subscriber, Subscription } from '../src/api/types.js';
import { aProfile } from './a-post.js';

/** The viewer's, free, to a coach. */
export function aSubscription(over: Partial<Subscription> = {}): Subscription {
  const { status = 'active', accessUntil = null, cancelAtPeriodEnd = false, paid = null } = over;
  const coach = aCoachOf({ status, accessUntil, cancelAtPeriodEnd, paid });
  return { ...FIELDS, coach, ...over };
}

/** To whom the viewer is subscribed. */
export const aCoachOf = (subscription: OwnSubscription, over: Partial<Profile> = {}): Profile => {
  const profile = aProfile(over);
  return { ...profile, viewer: profile.viewer && { ...profile.viewer, subscribed: true, subscription } };
};

const FIELDS: Omit<Subscription, 'coach'> = {
  id: 's1',
  planType: 'monthly',
  status: 'active',
  startDate: '2026-11-20T10:00:00.000Z',
  createdAt: '2026-11-20T10:00:00.000Z',
  cancelledAt: null,
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
  accessUntil: null,
  price: null,
  currency: null,
  paid: null,
};

export const aSubscriber = (name: string, over: Partial<Subscriber> = {}): Subscriber => ({
  user: {
    id: name.toLowerCase(),
    name,
    username: name.toLowerCase(),
    profileImage: '/api/avatars/a.svg',
    isCoach: false,
    email: `${name.toLowerCase()}@example.test`,
  },
  plan: 'monthly',
  status: 'active',
  subscribedAt: '2026-11-20T10:00:00.000Z',
  ...over,
});

export const aDashboard = (over: Partial<Dashboard> = {}): Dashboard => ({
  totalSubscribers: 0,
  activeSubscriptions: 0,
  monthlyRevenue: 0,
  currency: 'USD',
  monthlyByCurrency: [],
  subscribers: { items: [], nextCursor: null },
  ...over,
});
