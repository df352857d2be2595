import { cleanText, type TextRule } from '@pulso/platform/text/text-rules';
import { z } from 'zod';

const LONE_SURROGATE = /\p{Surrogate}/u;
const CONTROL = /\p{Cc}/u;

/** Longest texts in code points (http-api.md, Conventions, "Text"). */
export const TEXT = {
  name: { max: 80, multiline: false, joiners: false },
  username: { max: 30, multiline: false, joiners: false },
  email: { max: 254, multiline: false, joiners: false },
  bio: { max: 2000, multiline: true, joiners: true },
  specialty: { max: 40, multiline: false, joiners: true },
  post: { max: 10_000, multiline: true, joiners: true },
  comment: { max: 2000, multiline: true, joiners: true },
  review: { max: 2000, multiline: true, joiners: true },
  reportNote: { max: 1000, multiline: true, joiners: true },
  search: { max: 100, multiline: false, joiners: true },
  alt: { max: 1000, multiline: true, joiners: true },
  caption: { max: 500, multiline: true, joiners: true },
  url: { max: 2048, multiline: false, joiners: false },
} as const satisfies Record<string, TextRule>;

type Context = z.RefinementCtx;

export function refuse(context: Context, code: string, message: string): never {
  context.addIssue({ code: 'custom', message, params: { code } });
  return z.NEVER;
}

function clean(input: string, rule: TextRule, context: Context): string {
  const { value, problem } = cleanText(input, rule);
  return problem ? refuse(context, problem.code, problem.message) : value;
}

/** Text that may be empty; trimmed. */
export const text = (rule: TextRule) =>
  z
    .string()
    .meta({ maxLength: rule.max })
    .transform((input, context) => clean(input, rule, context));

/** Text of which something must be visible; trimmed. */
export const requiredText = (rule: TextRule, described: z.core.GlobalMeta = {}) =>
  z
    .string()
    .meta({ minLength: 1, maxLength: rule.max, ...described })
    .transform((input, context) => {
      const value = clean(input, rule, context);
      return value === '' ? refuse(context, 'required', 'Required') : value;
    });

// One @, no white space, a dot in the domain: the rest only a delivered mail can prove.
const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/u;

export const email = requiredText(TEXT.email, { format: 'email' }).transform((input, context) => {
  const value = input.toLowerCase();
  return EMAIL.test(value) ? value : refuse(context, 'invalid-email', 'Must be an e-mail address');
});

const USERNAME = /^(?=.{3,30}$)[a-z0-9]+(-+[a-z0-9]+)*$/;

/** Decisions 9: 3–30 of a–z, 0–9 and inner hyphens, whatever the case it is typed in. */
export function normalizeUsername(input: string): string | undefined {
  const value = input.trim().toLowerCase();
  return USERNAME.test(value) ? value : undefined;
}

export const username = requiredText(TEXT.username, {
  minLength: 3,
  description: 'a–z, 0–9 and inner hyphens; trimmed and lower-cased',
}).transform(
  (input, context) =>
    normalizeUsername(input) ??
    refuse(context, 'invalid-username', 'Must be 3 to 30 letters, digits and inner dashes'),
);

/** Not trimmed. How long and how strong is identity's policy; this only keeps absurd input away from its hash. */
export const password = z
  .string()
  .meta({ minLength: 1, maxLength: 1024, format: 'password' })
  .transform((input, context) => {
    if (input === '') return refuse(context, 'required', 'Required');
    if (LONE_SURROGATE.test(input)) {
      return refuse(context, 'lone-surrogate', 'Contains characters that are not valid text');
    }
    if (CONTROL.test(input)) return refuse(context, 'control-character', 'Contains control characters');
    return input.length > 1024 ? refuse(context, 'too-long', 'Must be at most 1024 characters') : input;
  });

const MAX_SPECIALTIES = 20;

/** Trimmed, without empty ones and repeats (product.md, Validation rules). */
export const specialties = z
  .array(text(TEXT.specialty))
  .meta({ maxItems: MAX_SPECIALTIES })
  .transform((items, context) => {
    const kept = [...new Set(items)].filter((item) => item !== '');
    if (kept.length > MAX_SPECIALTIES) {
      return refuse(context, 'too-many', `Must be at most ${MAX_SPECIALTIES} entries`);
    }
    return kept;
  });
