import type { FieldErrorCode } from '@pulso/contracts/field-errors';
import {
  PASSWORD,
  PATTERNS,
  VALIDATION_MESSAGES,
  SPECIALTIES,
  TEXT_LIMITS,
  USERNAME_MIN,
} from '@pulso/contracts/limits';
import { canonical, cleanPassword, cleanText, type TextRule } from '@pulso/platform/text/text-rules';
import { z } from 'zod';

type Context = z.RefinementCtx;

export function refuse(
  context: Context,
  code: FieldErrorCode,
  message: string,
  path: (string | number)[] = [],
): never {
  context.addIssue({ code: 'custom', path, message, params: { code } });
  return z.NEVER;
}

function clean(input: string, rule: TextRule, context: Context): string {
  const { value, problem } = cleanText(input, rule);
  return problem ? refuse(context, problem.code, problem.message) : value;
}

/** An id in a body: a malformed one answers like one that does not exist. */
export const givenId = z.string().max(64);

/** Of a mailed link: a malformed one answers like one that is spent. */
export const actionToken = z.string().max(64);

/** Text that may be empty, in the form that is stored. */
export const text = (rule: TextRule) =>
  z
    .string()
    .meta({ maxLength: rule.max })
    .transform((input, context) => clean(input, rule, context));

/**
 * Text that cannot be absent, in the form that is stored. `whenEmpty` is the text of its refusal. Whether something of it is
 * visible is judged by the service that stores it.
 */
export const givenText = (rule: TextRule, whenEmpty: string, described: z.core.GlobalMeta = {}) =>
  z
    .string({ error: ({ input }) => (input === undefined ? whenEmpty : undefined) })
    .meta({ minLength: 1, maxLength: rule.max, ...described })
    .transform((input, context) => clean(input, rule, context));

/** The same, and something of it must be visible. */
export const requiredText = (rule: TextRule, whenEmpty: string, described: z.core.GlobalMeta = {}) =>
  givenText(rule, whenEmpty, described).transform((value, context) =>
    value === '' ? refuse(context, 'required', whenEmpty) : value,
  );

const EMAIL = new RegExp(PATTERNS.email);

export const email = requiredText(TEXT_LIMITS.email, VALIDATION_MESSAGES.required('email'), {
  format: 'email',
  pattern: PATTERNS.email,
}).transform((input, context) =>
  EMAIL.test(input) ? input.toLowerCase() : refuse(context, 'invalid-email', VALIDATION_MESSAGES.email),
);

const USERNAME = new RegExp(PATTERNS.username);

/** PEOPLE-6: 3–30 of a–z, 0–9 and inner hyphens, whatever the case it is typed in. */
export function normalizeUsername(input: string): string | undefined {
  const username = canonical(input);
  return USERNAME.test(username) ? username.trim().toLowerCase() : undefined;
}

// The limit is longer than any username, so that an overlong one gets the message about the format.
export const username = requiredText(
  { ...TEXT_LIMITS.username, max: TEXT_LIMITS.email.max },
  VALIDATION_MESSAGES.required('username'),
  {
    minLength: USERNAME_MIN,
    maxLength: TEXT_LIMITS.username.max,
    pattern: PATTERNS.username,
    description: 'a–z, 0–9 and inner hyphens; trimmed and lower-cased',
  },
).transform(
  (input, context) =>
    normalizeUsername(input) ?? refuse(context, 'invalid-username', VALIDATION_MESSAGES.username),
);

/** How strong a new one must be is identity's policy, which also brings it into the form that is hashed (ACCT-8); `field` is its name. */
const passwordOf = (field: string, minLength: number) =>
  z
    .string()
    .meta({ minLength, maxLength: PASSWORD.max, format: 'password' })
    .transform((input, context) => {
      if (input === '') return refuse(context, 'required', VALIDATION_MESSAGES.required(field));
      const { value, problem } = cleanPassword(input, PASSWORD.max);
      if (!problem) return value;
      const isTooLong = problem.code === 'too-long';
      return refuse(
        context,
        problem.code,
        isTooLong ? VALIDATION_MESSAGES.passwordTooLong(PASSWORD.max) : problem.message,
      );
    });

export const newPassword = passwordOf('password', PASSWORD.min);
export const password = passwordOf('password', 1);
export const currentPassword = passwordOf('currentPassword', 1);

/**
 * A list whose items are not looked at when there are more than `given` of them; `max` is what clients are told. The
 * refusal may name how many there are.
 */
export function list<S extends z.ZodType>(
  item: S,
  refusal: string | ((given: number) => string),
  max: number,
  given = max,
) {
  const items = z.array(item).meta({ maxItems: max });
  return z.preprocess((input, context) => {
    if (!Array.isArray(input) || input.length <= given) return input;
    return refuse(context, 'too-many', typeof refusal === 'string' ? refusal : refusal(input.length));
  }, items);
}

/** Identity leaves out empty ones and repeats, and counts the others (PEOPLE-11). */
export const specialties = list(
  text(TEXT_LIMITS.specialty),
  VALIDATION_MESSAGES.specialties,
  SPECIALTIES.max,
  SPECIALTIES.given,
);
