import { z } from 'zod';
import { answer } from '../validation/named-schemas.js';
import { EXAMPLE } from '../openapi/examples.js';
import {
  amount,
  exampleProfile,
  monthlyAmountSchema,
  profileSchema,
  subscriptionStatus,
} from '../profiles/profile.dto.js';
import { currency, id, time } from '../user-ref/user-ref.dto.js';

const exampleSubscription = {
  id: EXAMPLE.subscriptionId,
  coach: { ...exampleProfile, viewer: { ...exampleProfile.viewer, subscribed: true } },
  planType: 'monthly',
  status: 'active' as const,
  startDate: EXAMPLE.later,
  createdAt: EXAMPLE.later,
  cancelledAt: null,
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
  accessUntil: null,
  price: 400,
  currency: 'MXN' as const,
  paid: null,
};

const refundedSchema = z.object({ currency, amount, at: time.meta({ description: 'For the last time' }) });

export const subscriptionSchema = answer(
  'Subscription',
  z.object({
    id,
    coach: profileSchema.meta({ description: 'Named ‘Deleted user’ where there is no such coach to see' }),
    planType: z.string(),
    status: subscriptionStatus,
    startDate: time.nullable().meta({ description: 'null: it has never given access' }),
    createdAt: time,
    cancelledAt: time.nullable(),
    currentPeriodEnd: time.nullable().meta({ description: 'null: nothing is paid' }),
    cancelAtPeriodEnd: z.boolean(),
    accessUntil: time
      .nullable()
      .meta({ description: 'When access ends or has ended; null while no end is known' }),
    price: z.number().min(0).nullable().meta({ description: 'The coach’s at this moment, a month' }),
    currency: currency.nullable(),
    paid: monthlyAmountSchema
      .nullable()
      .meta({ description: 'What the viewer pays a month: the price they joined at; null: nothing' }),
    refunded: refundedSchema
      .optional()
      .meta({ description: 'What was paid back in the last 60 days; in lists alone, absent: nothing' }),
    disputed: z.literal(true).optional().meta({
      description:
        'It was ended in the last 60 days because a payment was disputed at the bank; in lists alone',
    }),
  }),
  exampleSubscription,
);

export const subscriptionPageSchema = answer(
  'SubscriptionPage',
  z.object({
    items: z.array(subscriptionSchema),
    nextCursor: z.string().nullable(),
    ended: z.array(subscriptionSchema).optional().meta({
      description:
        'On the first page, without `status`: at most 10 that give no access and are `refunded` or `disputed`; absent: none',
    }),
  }),
  { items: [exampleSubscription], nextCursor: null },
);

export type Subscription = z.output<typeof subscriptionSchema>;
export type SubscriptionPage = z.output<typeof subscriptionPageSchema>;
