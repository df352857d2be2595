import { CURRENCIES, RATING, REFUSALS } from '@pulso/contracts/limits';
import { z } from 'zod';
import { answer } from '../openapi/component.js';
import { EXAMPLE } from '../openapi/examples.js';

export const id = z.string();
export const time = z.string().meta({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds' });
export const count = z.int().min(0);
export const currency = z.enum(CURRENCIES, REFUSALS.currency);

const userRefFields = {
  id,
  name: z.string(),
  username: z.string().nullable().meta({ description: 'null only for a deleted user' }),
  profileImage: z.string().meta({ description: 'Always a usable URL' }),
  isCoach: z.boolean(),
};

const exampleRef = {
  id: EXAMPLE.coachId,
  name: 'Ana Torres',
  username: 'ana-torres',
  profileImage: '/api/avatars/A.svg',
  isCoach: true,
};

export const userRefSchema = answer('UserRef', z.object(userRefFields), exampleRef);

export const userRefPageSchema = answer(
  'UserRefPage',
  z.object({ items: z.array(userRefSchema), nextCursor: z.string().nullable() }),
);

export const authorSchema = answer(
  'Author',
  z.object({
    ...userRefFields,
    subscriptionPrice: z.number().min(0).nullable(),
    subscriptionCurrency: currency.nullable(),
  }),
  { ...exampleRef, subscriptionPrice: 400, subscriptionCurrency: 'MXN' },
);

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

export type UserRef = z.output<typeof userRefSchema>;
export type UserRefPage = z.output<typeof userRefPageSchema>;
export type Author = z.output<typeof authorSchema>;
export type Profile = z.output<typeof profileSchema>;
export type ProfilePage = z.output<typeof profilePageSchema>;
export type Me = z.output<typeof meSchema>;
