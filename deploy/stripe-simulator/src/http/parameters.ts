import { z } from 'zod';
import { invalid } from './stripe-error.js';

// All values of a form are texts; these schemas read them as Stripe does.
export const text = z.string().min(1).max(5_000);
export const integer = z
  .string()
  .regex(/^-?\d{1,15}$/, 'integer')
  .transform(Number);
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
export const percent = z
  .string()
  .regex(/^\d{1,3}(?:\.\d{1,2})?$/, 'decimal')
  .transform(Number)
  .refine((value) => value <= 100, 'must be 100 or less');
export const address = z.url({ protocol: /^https?$/, error: 'url' }).max(5_000);
/** Texts by name. An empty text takes a name away, and in place of the object all of them. */
export const metadata = z.union([z.record(z.string().max(40), z.string().max(500)), z.literal('')]);
export const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/, 'currency')
  .transform((value) => value.toLowerCase());

const range = z.union([
  integer,
  z.strictObject({
    gt: integer.optional(),
    gte: integer.optional(),
    lt: integer.optional(),
    lte: integer.optional(),
  }),
]);
export type Range = z.output<typeof range>;

/** What every list takes besides its own filters. */
export const paging = {
  limit: integer.refine((value) => value >= 1 && value <= 100, 'must be 1 to 100').optional(),
  starting_after: text.optional(),
  ending_before: text.optional(),
  created: range.optional(),
};

/** Metadata after a request that gave `change`. */
export function mergeMetadata(
  before: Readonly<Record<string, string>>,
  change: z.output<typeof metadata> | undefined,
): Record<string, string> {
  if (change === undefined) return { ...before };
  if (change === '') return {};
  return Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== ''));
}

/** Reads parameters by a schema. Throws Stripe's error for the first thing that is wrong. */
export function readParameters<S extends z.ZodType>(
  schema: S,
  given: Readonly<Record<string, unknown>>,
): z.output<S> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = deepest(parsed.error.issues[0]!);
  const param = nameOf(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const unknown = nameOf([...issue.path, issue.keys[0]!]);
    throw invalid(`Received unknown parameter: ${unknown}`, { code: 'parameter_unknown', param: unknown });
  }
  const value = valueAt(given, issue.path);
  if (value === undefined)
    throw invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  if (value === '')
    throw invalid(
      `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset.`,
      { code: 'parameter_invalid_empty', param },
    );
  if (issue.message === 'url') throw invalid('Not a valid URL', { code: 'url_invalid', param });
  if (issue.message === 'integer')
    throw invalid(`Invalid integer: ${shown(value)}`, { code: 'parameter_invalid_integer', param });
  throw invalid(`Invalid ${param}: ${shown(value)} (${issue.message})`, { param });
}

type Issue = z.core.$ZodIssue;

/** Of a union, what is wrong with the alternative that fits best: the one whose fault lies deepest. */
function deepest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors
    .flatMap((issues) => issues.slice(0, 1))
    .map((one) => deepest({ ...one, path: [...issue.path, ...one.path] } as Issue));
  return (
    inner.find((one) => one.code === 'unrecognized_keys') ??
    inner.reduce<Issue>((best, one) => (one.path.length > best.path.length ? one : best), inner[0] ?? issue)
  );
}

const nameOf = (path: readonly PropertyKey[]) =>
  path.map((part, index) => (index === 0 ? String(part) : `[${String(part)}]`)).join('');

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[part] : undefined,
    given,
  );
}

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
