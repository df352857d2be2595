import { PASSWORD, VALIDATION_MESSAGES, TEXT_LIMITS } from '@pulso/contracts/limits';
import { z } from 'zod';
import {
  actionToken,
  currentPassword,
  email,
  newPassword,
  password,
  requiredText,
  specialties,
  text,
  username,
} from '../validation/fields.js';
import { answer, body } from '../validation/named-schemas.js';
import { EXAMPLE } from '../openapi/examples.js';
import { time } from '../user-ref/user-ref.dto.js';
import { exampleMe, meSchema } from '../profiles/profile.dto.js';

export class SignUpBody extends body(
  'SignUp',
  z.strictObject({
    email,
    password: newPassword,
    name: requiredText(TEXT_LIMITS.name, VALIDATION_MESSAGES.required('name')),
    username,
    isCoach: z.boolean().default(false),
    bio: text(TEXT_LIMITS.bio).default(''),
    specialties: specialties.default([]),
  }),
  { email: 'ana@example.com', password: 'a long sentence', name: 'Ana Torres', username: 'ana-torres' },
) {}

export class LoginBody extends body('Login', z.strictObject({ email, password }), {
  email: 'ana@example.com',
  password: 'a long sentence',
}) {}

const exampleToken = '3mJr0Qd7Y1mP9sK2vX8wA5tB6nC4zE0hL7uF1gR9oIc';

export class ForgotPasswordBody extends body('ForgotPassword', z.strictObject({ email }), {
  email: 'ana@example.com',
}) {}

export class ResetPasswordBody extends body(
  'ResetPassword',
  z.strictObject({ token: actionToken, password: newPassword }),
  { token: exampleToken, password: 'another long sentence' },
) {}

export class ChangePasswordBody extends body(
  'ChangePassword',
  z.strictObject({ currentPassword: currentPassword.optional(), password: newPassword }),
  { currentPassword: 'a long sentence', password: 'another long sentence' },
) {}

export class VerifyEmailBody extends body('VerifyEmail', z.strictObject({ token: actionToken }), {
  token: exampleToken,
}) {}

const session = z
  .object({
    accessToken: z.string(),
    expiresIn: z.int().min(1).meta({ description: 'Seconds until the access token expires' }),
    user: meSchema,
  })
  .meta({
    description:
      'After a login or a refresh the figures of `user` (`stats`, `rating`, `storage.bytesUsed`) are null: not known here; `GET /api/me` tells them.',
  });
const exampleSession = { accessToken: 'header.payload.signature', expiresIn: 600, user: exampleMe };

export const sessionSchema = answer('Session', session, exampleSession);

export const refreshedSessionSchema = answer(
  'RefreshedSession',
  session.extend({
    first: z
      .array(
        z.object({
          path: z.string(),
          etag: z.string().optional(),
          body: z.unknown().meta({ description: 'What `GET` of the path has answered with 200' }),
        }),
      )
      .optional()
      .meta({
        description: 'What was asked for by `first`, without what could not be read in half a second',
      }),
  }),
  exampleSession,
);

export const passwordPolicySchema = answer(
  'PasswordPolicy',
  z.object({
    minLength: z.int().min(1),
    maxLength: z.int().min(1),
    requireLowercase: z.boolean(),
    requireUppercase: z.boolean(),
    requireNumeric: z.boolean(),
    requireNonAlphanumeric: z.boolean(),
  }),
  {
    minLength: PASSWORD.min,
    maxLength: PASSWORD.max,
    requireLowercase: false,
    requireUppercase: false,
    requireNumeric: false,
    requireNonAlphanumeric: false,
  },
);

const exampleDevice = {
  id: EXAMPLE.sessionId,
  userAgent: 'Mozilla/5.0',
  address: '203.0.113.7',
  createdAt: EXAMPLE.time,
  lastUsedAt: EXAMPLE.later,
  current: true,
};

const deviceSessionSchema = answer(
  'DeviceSession',
  z.object({
    id: z.string(),
    userAgent: z.string(),
    address: z.string(),
    createdAt: time,
    lastUsedAt: time,
    current: z.boolean().meta({ description: 'Whether this very request belongs to it' }),
  }),
  exampleDevice,
);

export const deviceSessionPageSchema = answer(
  'DeviceSessionPage',
  z.object({ items: z.array(deviceSessionSchema), nextCursor: z.null() }),
  { items: [exampleDevice], nextCursor: null },
);

export type SessionAnswer = z.output<typeof sessionSchema>;
export type RefreshedSession = z.output<typeof refreshedSessionSchema>;
export type PasswordPolicyAnswer = z.output<typeof passwordPolicySchema>;
export type DeviceSessionPage = z.output<typeof deviceSessionPageSchema>;
