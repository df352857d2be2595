import { z } from 'zod';
import { answer } from '../validation/named-schemas.js';
import { EXAMPLE } from '../openapi/examples.js';
import {
  amount,
  exampleMonthlyAmount,
  monthlyAmountSchema,
  subscriptionStatus,
} from '../profiles/profile.dto.js';
import { count, currency, time, userRefFields } from '../user-ref/user-ref.dto.js';

const exampleUser = {
  id: EXAMPLE.memberId,
  name: 'Ben Ortiz',
  username: 'ben-ortiz',
  profileImage: '/api/avatars/B.svg',
  isCoach: false,
  email: 'ben@example.com',
};

const exampleSubscriber = {
  user: exampleUser,
  plan: 'monthly',
  status: 'active' as const,
  subscribedAt: EXAMPLE.later,
};

const subscriberUserSchema = answer(
  'SubscriberUser',
  z.object({
    ...userRefFields,
    email: z.string().nullable().meta({ description: 'null for those without access now' }),
  }),
  exampleUser,
);

const subscriberSchema = answer(
  'Subscriber',
  z.object({
    user: subscriberUserSchema,
    plan: z.string(),
    status: subscriptionStatus,
    subscribedAt: time,
    accessUntil: time
      .optional()
      .meta({ description: 'When access ends; absent where it has ended, and while no end is known' }),
    disputed: z
      .literal(true)
      .optional()
      .meta({ description: 'The subscription was ended because a payment was disputed at the bank' }),
  }),
  exampleSubscriber,
);

const subscriberPageSchema = answer(
  'SubscriberPage',
  z.object({ items: z.array(subscriberSchema), nextCursor: z.string().nullable() }),
  { items: [exampleSubscriber], nextCursor: null },
);

export const dashboardSchema = answer(
  'Dashboard',
  z.object({
    totalSubscribers: count.meta({ description: 'Who ever had access' }),
    activeSubscriptions: count,
    monthlyRevenue: amount.meta({
      description: 'Estimated, in major units: active subscriptions × the present price',
    }),
    currency: currency.meta({ description: 'USD while no price is set' }),
    monthlyByCurrency: z
      .array(monthlyAmountSchema)
      .meta({ description: 'What is really paid a month: subscribers keep the price they joined at' }),
    subscribers: subscriberPageSchema,
  }),
  {
    totalSubscribers: 3,
    activeSubscriptions: 2,
    monthlyRevenue: 800,
    currency: 'MXN' as const,
    monthlyByCurrency: [exampleMonthlyAmount],
    subscribers: { items: [exampleSubscriber], nextCursor: null },
  },
);

export type Dashboard = z.output<typeof dashboardSchema>;
export type Subscriber = z.output<typeof subscriberSchema>;
