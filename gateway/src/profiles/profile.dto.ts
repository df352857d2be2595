import { LANGUAGES, RATING } from '@pulso/contracts/limits';
import { z } from 'zod';
import { exampleStorage, storageSchema } from '../media/storage.dto.js';
import { answer } from '../validation/named-schemas.js';
import { EXAMPLE } from '../openapi/examples.js';
import { count, currency, exampleRef, time, userRefFields } from '../user-ref/user-ref.dto.js';

const exampleStats = { posts: 12, followers: 48, following: 7, subscribers: 0, likes: 87, comments: 23 };

const statsSchema = answer(
  'ProfileStats',
  z
    .object({
      posts: count.nullable(),
      followers: count.nullable(),
      following: count.nullable(),
      subscribers: count.nullable(),
      likes: count.nullable(),
      comments: count.nullable(),
    })
    .meta({
      description:
        'null: the service that knows is not available right now, or was not asked (login, refresh)',
    }),
  exampleStats,
);

const exampleRating = { averageRating: 4.7, totalReviews: 9 };

const ratingSchema = answer(
  'Rating',
  z.object({ averageRating: z.number().min(0).max(RATING.max).nullable(), totalReviews: count.nullable() }),
  exampleRating,
);

export const exampleMonthlyAmount = { currency: 'MXN' as const, amount: 400 };
/** Of money, in major units. */
export const amount = z.number().min(0).meta({ description: 'In major units' });
export const monthlyAmountSchema = answer(
  'MonthlyAmount',
  z.object({ currency, amount }),
  exampleMonthlyAmount,
);

/** As the API names them (SUBS-9). */
export const SUBSCRIPTION_STATUSES = ['active', 'past_due', 'incomplete', 'cancelled'] as const;
export const subscriptionStatus = z.enum(SUBSCRIPTION_STATUSES);

const ownSubscriptionSchema = answer(
  'OwnSubscription',
  z
    .object({
      status: subscriptionStatus,
      accessUntil: time.nullable().meta({ description: 'When access ends; null while no end is known' }),
      cancelAtPeriodEnd: z.boolean(),
      paid: monthlyAmountSchema
        .nullable()
        .meta({ description: 'What the viewer pays a month; null: nothing' }),
    })
    .meta({ description: 'The viewer’s subscription to this coach' }),
  { status: 'active' as const, accessUntil: null, cancelAtPeriodEnd: false, paid: exampleMonthlyAmount },
);

const exampleViewer = {
  isSelf: false,
  following: true,
  followsYou: false,
  subscribed: false,
  subscription: null,
  reviewed: false,
  blocked: false,
};

const viewerSchema = answer(
  'ProfileViewer',
  z.object({
    isSelf: z.boolean(),
    following: z.boolean().nullable(),
    followsYou: z.boolean().nullable(),
    subscribed: z.boolean().nullable(),
    subscription: ownSubscriptionSchema
      .nullable()
      .meta({ description: 'null: it gives no access, or billing is not available right now' }),
    reviewed: z.boolean().nullable(),
    blocked: z.boolean().nullable(),
  }),
  exampleViewer,
);

const profileFields = {
  ...userRefFields,
  bio: z.string(),
  specialties: z.array(z.string()),
  subscriptionPrice: z.number().min(0).nullable(),
  subscriptionCurrency: currency.nullable(),
  createdAt: time,
  stats: statsSchema,
  rating: ratingSchema,
  viewer: viewerSchema.nullable(),
};

export const exampleProfile = {
  ...exampleRef,
  bio: 'Strength for busy people.',
  specialties: ['Nutrition', 'Weight Training'],
  subscriptionPrice: 400,
  subscriptionCurrency: 'MXN' as const,
  createdAt: EXAMPLE.time,
  stats: exampleStats,
  rating: exampleRating,
  viewer: exampleViewer,
};

export const profileSchema = answer('Profile', z.object(profileFields), exampleProfile);

export const profilePageSchema = answer(
  'ProfilePage',
  z.object({ items: z.array(profileSchema), nextCursor: z.string().nullable() }),
  { items: [exampleProfile], nextCursor: null },
);

/** A short list without pages. */
export const profileListSchema = answer('ProfileList', z.object({ items: z.array(profileSchema) }), {
  items: [exampleProfile],
});

const exampleEmails = { subscriptions: true, security: true };

const wantedEmailsSchema = answer(
  'WantedEmails',
  z
    .object({
      subscriptions: z.boolean().meta({ description: 'Confirmations and new subscribers' }),
      security: z.boolean().meta({ description: 'Sign-ins from new devices' }),
    })
    .meta({ description: 'Which mails are sent besides those that the account needs' }),
  exampleEmails,
);

export const exampleMe = {
  ...exampleProfile,
  viewer: { ...exampleProfile.viewer, isSelf: true, following: false },
  email: 'ana@example.com',
  pendingEmail: null,
  emailVerified: true,
  hasPassword: true,
  language: 'en' as const,
  emails: exampleEmails,
  storage: exampleStorage,
};

export const meSchema = answer(
  'Me',
  z.object({
    ...profileFields,
    email: z.string(),
    pendingEmail: z.string().nullable(),
    emailVerified: z.boolean(),
    hasPassword: z.boolean(),
    language: z.enum(LANGUAGES).meta({ description: 'Of mails' }),
    emails: wantedEmailsSchema,
    storage: storageSchema,
  }),
  exampleMe,
);

export type Profile = z.output<typeof profileSchema>;
export type ProfilePage = z.output<typeof profilePageSchema>;
export type Me = z.output<typeof meSchema>;

export type OwnSubscription = z.output<typeof ownSubscriptionSchema>;
export type ApiSubscriptionStatus = z.output<typeof subscriptionStatus>;
