import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { email, password, requiredText, specialties, text, TEXT, username } from '../http/fields.js';
import { body } from '../openapi/component.js';
import { currency } from '../users/user.shapes.js';

const MAX_PRICE = 100_000;

/** Absent: unchanged. The price goes in steps of a half (product.md, Validation rules); null takes it away. */
const updateMeSchema = body(
  'UpdateMe',
  z.strictObject({
    name: requiredText(TEXT.name).optional(),
    username: username.optional(),
    email: email.optional(),
    currentPassword: password.optional(),
    bio: text(TEXT.bio).optional(),
    isCoach: z.boolean().optional(),
    specialties: specialties.optional(),
    subscriptionPrice: z
      .number()
      .min(0, 'Must be at least 0')
      .max(MAX_PRICE, `Must be at most ${MAX_PRICE}`)
      .multipleOf(0.5, 'Must be a multiple of 0.5')
      .nullable()
      .optional(),
    subscriptionCurrency: currency.optional(),
    profileImageId: z.string().max(64).nullable().optional(),
  }),
  { bio: 'Strength for busy people.', isCoach: true, subscriptionPrice: 400, subscriptionCurrency: 'MXN' },
);

export class UpdateMeBody extends createZodDto(updateMeSchema) {}
