import { LANGUAGES, MEDIA_ID_MAX, PRICE, VALIDATION_MESSAGES, TEXT_LIMITS } from '@pulso/contracts/limits';
import { z } from 'zod';
import {
  currentPassword,
  email,
  password,
  refuse,
  requiredText,
  specialties,
  text,
  username,
} from '../validation/fields.js';
import { body } from '../validation/named-schemas.js';
import { currency } from '../user-ref/user-ref.dto.js';

/** In steps of a half; zod's own multipleOf tolerates what is nearly one, which has no whole minor units. */
const price = z
  .number()
  .meta({ minimum: PRICE.min, maximum: PRICE.max, multipleOf: PRICE.step })
  .transform((input, context) => {
    if (input < PRICE.min) return refuse(context, 'too-small', VALIDATION_MESSAGES.priceTooSmall);
    if (input > PRICE.max) return refuse(context, 'too-big', VALIDATION_MESSAGES.priceTooBig);
    return Number.isInteger(input / PRICE.step)
      ? input
      : refuse(context, 'invalid-step', VALIDATION_MESSAGES.priceStep);
  });

/** Absent: unchanged. The price goes in steps of a half (SUBS-4); null takes it away. */
export class UpdateMeBody extends body(
  'UpdateMe',
  z.strictObject({
    name: requiredText(TEXT_LIMITS.name, VALIDATION_MESSAGES.required('name')).optional(),
    username: username.optional(),
    email: email.optional(),
    currentPassword: currentPassword.optional(),
    bio: text(TEXT_LIMITS.bio).optional(),
    isCoach: z.boolean().optional(),
    specialties: specialties.optional(),
    subscriptionPrice: price.nullable().optional(),
    subscriptionCurrency: currency.optional(),
    profileImageId: z.string().max(MEDIA_ID_MAX).nullable().optional(),
    language: z.enum(LANGUAGES, VALIDATION_MESSAGES.language).optional(),
    emails: z
      .strictObject({ subscriptions: z.boolean().optional(), security: z.boolean().optional() })
      .optional(),
  }),
  { bio: 'Strength for busy people.', isCoach: true, subscriptionPrice: 400, subscriptionCurrency: 'MXN' },
) {}

/** Without it: for an account that has no password. */
export class EraseMeBody extends body('EraseMe', z.strictObject({ password: password.optional() }), {
  password: 'a long sentence',
}) {}
