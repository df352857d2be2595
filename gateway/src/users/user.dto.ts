import { RATING } from '@pulso/contracts/limits';
import { z } from 'zod';
import { answer } from '../openapi/component.js';
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
    .meta({ description: 'null: the service that knows is not available right now' }),
  exampleStats,
);

const ratingSchema = answer(
  'Rating',
  z.object({ averageRating: z.number().min(0).max(RATING.max).nullable(), totalReviews: count.nullable() }),
);

const viewerSchema = answer(
  'ProfileViewer',
  z.object({
    isSelf: z.boolean(),
    following: z.boolean().nullable(),
    followsYou: z.boolean().nullable(),
    subscribed: z.boolean().nullable(),
    reviewed: z.boolean().nullable(),
    blocked: z.boolean().nullable(),
  }),
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

const exampleProfile = {
  ...exampleRef,
  bio: 'Strength for busy people.',
  specialties: ['Nutrition', 'Weight Training'],
  subscriptionPrice: 400,
  subscriptionCurrency: 'MXN' as const,
  createdAt: EXAMPLE.time,
  stats: exampleStats,
  rating: { averageRating: 4.7, totalReviews: 9 },
  viewer: {
    isSelf: false,
    following: true,
    followsYou: false,
    subscribed: false,
    reviewed: false,
    blocked: false,
  },
};

export const profileSchema = answer('Profile', z.object(profileFields), exampleProfile);

export const profilePageSchema = answer(
  'ProfilePage',
  z.object({ items: z.array(profileSchema), nextCursor: z.string().nullable() }),
);

const storageSchema = answer('StorageUsage', z.object({ quotaBytes: count, bytesUsed: count.nullable() }));

export const exampleMe = {
  ...exampleProfile,
  viewer: { ...exampleProfile.viewer, isSelf: true, following: false },
  email: 'ana@example.com',
  pendingEmail: null,
  emailVerified: true,
  hasPassword: true,
  storage: { quotaBytes: 524_288_000, bytesUsed: 0 },
};

export const meSchema = answer(
  'Me',
  z.object({
    ...profileFields,
    email: z.string(),
    pendingEmail: z.string().nullable(),
    emailVerified: z.boolean(),
    hasPassword: z.boolean(),
    storage: storageSchema,
  }),
  exampleMe,
);

export type Profile = z.output<typeof profileSchema>;
export type ProfilePage = z.output<typeof profilePageSchema>;
export type Me = z.output<typeof meSchema>;
