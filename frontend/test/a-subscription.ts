import type { Dashboard, Subscriber, Subscription } from '../src/api/types.js';
import { aProfile } from './a-post.js';

const { viewer } = aProfile();

/** The viewer's, free, to a coach. */
export const aSubscription = (over: Partial<Subscription> = {}): Subscription => ({
  id: 's1',
  coach: aProfile({ viewer: viewer && { ...viewer, subscribed: true } }),
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
  ...over,
});

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
