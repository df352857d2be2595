import { CURRENCIES, VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { z } from 'zod';
import { answer } from '../validation/named-schemas.js';
import { EXAMPLE } from '../openapi/examples.js';

export const id = z.string();
export const time = z.string().meta({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds' });
/** Of a post or comment that its author has brought along (ACCT-46). */
export const importedAt = time.meta({
  format: 'date-time',
  description: 'When it was imported from elsewhere; absent where it was not',
});
export const count = z.int().min(0);
export const currency = z.enum(CURRENCIES, VALIDATION_MESSAGES.currency);

export const userRefFields = {
  id,
  name: z.string(),
  username: z.string().nullable().meta({ description: 'null only for a deleted user' }),
  profileImage: z.string().meta({ description: 'Always a usable URL' }),
  isCoach: z.boolean(),
};

export const exampleRef = {
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
  { items: [exampleRef], nextCursor: null },
);

const personViewerSchema = answer(
  'PersonViewer',
  z.object({
    isSelf: z.boolean(),
    following: z.boolean().nullable().meta({ description: 'null: the service that knows is not available' }),
  }),
  { isSelf: false, following: true },
);

/** A user in a list where the viewer may follow them. */
export const personSchema = answer(
  'Person',
  z.object({
    ...userRefFields,
    viewer: personViewerSchema.nullable().meta({ description: 'null for visitors' }),
  }),
  { ...exampleRef, viewer: { isSelf: false, following: true } },
);

export const personPageSchema = answer(
  'PersonPage',
  z.object({ items: z.array(personSchema), nextCursor: z.string().nullable() }),
  { items: [{ ...exampleRef, viewer: { isSelf: false, following: true } }], nextCursor: null },
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

export type UserRef = z.output<typeof userRefSchema>;
export type Person = z.output<typeof personSchema>;
export type PersonPage = z.output<typeof personPageSchema>;
export type UserRefPage = z.output<typeof userRefPageSchema>;
export type Author = z.output<typeof authorSchema>;
