import type { CollectionStore } from '../store/collection.store.js';
import type { IndexDefinition } from '../store/index-definition.js';
import { encodeKey, successor } from '../values/key-encoding.js';
import { boundsByPath, rangeInterval, type FieldBounds, type KeyInterval } from './field-bounds.js';
import type { FieldTest, Filter } from './filter-parser.js';
import type { SortField } from './sort.js';

export interface Plan {
  index: IndexDefinition;
  /** Set when the filter names the documents' ids: their keys in ascending order, read one by one. */
  points?: Buffer[];
  /** Read in sequence. */
  ranges: KeyInterval[];
  reverse: boolean;
  /** The entries are read in the requested order. */
  ordered: boolean;
  /** Some condition bounds the scan; otherwise the whole collection or index is read. */
  bounded: boolean;
  /** Every entry read meets the whole filter, so documents need not be checked. */
  covered: boolean;
  /** An entry of the index may occur for a document already seen. */
  repeats: boolean;
}

type Bounds = Map<string, FieldBounds>;

/**
 * The number of `$in` values that are looked up one by one: documents by id are cheap, ranges of an index less so.
 */
const MAX_IDS = 100_000;
const MAX_POINTS = 1_000;

/**
 * Chooses how to read the documents of a filter, in the requested order when an index has it. Without a usable index
 * the plan is the collection in `_id` order with `bounded: false`: its reader refuses after 1,000 documents.
 */
export function planQuery(collection: CollectionStore, filter: Filter, sort: SortField[]): Plan {
  const bounds = boundsByPath(filter);
  let best: Plan | undefined;
  for (const index of collection.allIndexes()) {
    const plan = planIndex(index, filter, bounds, sort);
    if (plan?.points) return plan;
    if (plan && (!best || score(plan, sort) > score(best, sort))) best = plan;
  }
  // The index on `_id` always provides a plan.
  return best!;
}

function score(plan: Plan, sort: SortField[]): number {
  const selective = plan.bounded ? 4 + plan.index.fields.length / 100 : 0;
  const ordered = sort.length > 0 && plan.ordered ? 8 : 0;
  return ordered + selective + equalities(plan) + (plan.covered ? 1 : 0);
}

/** How many fields of the keys the ranges fix, at most 2. */
function equalities(plan: Plan): number {
  const range = plan.ranges[0];
  if (!range) return 2;
  let shared = 0;
  const most = Math.min(range.lower.length, range.upper.length);
  while (shared < most && range.lower[shared] === range.upper[shared]) shared++;
  return Math.min(2, (shared - 4) / 64);
}

/** The plan over one index, or undefined when the index lacks documents that may match or does not help. */
function planIndex(
  index: IndexDefinition,
  filter: Filter,
  bounds: Bounds,
  sort: SortField[],
): Plan | undefined {
  if (index.specification.sparse && !index.fields.some(({ path }) => bounds.get(path)?.present))
    return undefined;
  // It neither narrows nor orders: the most usual case, since each collection has several indexes.
  if (
    sort.length === 0 &&
    !index.isPrimary &&
    !index.specification.sparse &&
    !bounds.has(index.fields[0]!.path)
  )
    return undefined;

  const used = new Set<FieldTest>();
  let exact = true;
  let prefixes: Buffer[] = [index.prefix];
  let ranges: KeyInterval[] | undefined;
  for (const { path, descending } of index.fields) {
    const bound = bounds.get(path);
    if (!bound) break;
    const { points } = bound;
    const follows = points && prefixes.length * points.length <= (index.isPrimary ? MAX_IDS : MAX_POINTS);
    if (follows) {
      prefixes = prefixes.flatMap((prefix) => points.map((value) => encodeKey(prefix, value, descending)));
    } else if (bound.lower ?? bound.upper) {
      const usable = index.multikeyPaths.has(path) ? oneSided(bound) : bound;
      ranges = prefixes.map((prefix) => rangeInterval(prefix, usable, descending));
    } else {
      break;
    }
    for (const test of bound.used) used.add(test);
    // An element that equals the value decides an equality; one within bounds tells nothing of the others.
    exact &&= bound.exact && (follows || !index.multikeyPaths.has(path));
    if (!follows) break;
  }

  const narrowed = used.size > 0 || index.specification.sparse;
  const { ordered, reverse } = orderOf(index, bounds, sort);
  if (!narrowed && !ordered && !index.isPrimary) return undefined;
  const byId = index.isPrimary && bounds.get('_id')?.points !== undefined && used.size > 0;
  return {
    index,
    ...(byId && { points: prefixes }),
    ranges: ranges ?? prefixes.map((prefix) => ({ lower: prefix, upper: successor(prefix) })),
    reverse,
    ordered,
    bounded: narrowed,
    covered: exact && filter.every(({ test }) => used.has(test)),
    repeats: index.multikeyPaths.size > 0,
  };
}

/** Each element of an array may meet only one of the bounds: only one of the two can narrow the scan. */
function oneSided(bound: FieldBounds): FieldBounds {
  return bound.lower ? { ...bound, upper: undefined } : bound;
}

/** Whether an index, after leading fields with one known value each, has the requested order. */
function orderOf(
  index: IndexDefinition,
  bounds: Bounds,
  sort: SortField[],
): { ordered: boolean; reverse: boolean } {
  const isKnown = (path: string): boolean => bounds.get(path)?.points?.length === 1;
  // A field with a single value does not affect the order, unless it holds arrays; only an index on it can rule that
  // out.
  const wanted = sort.filter(({ path }) => !(isKnown(path) && index.holdsScalars(path)));
  if (wanted.length === 0) return { ordered: true, reverse: false };
  const start = index.fields.findIndex(({ path }) => !isKnown(path));
  const first = index.fields[start];
  // The ranges of several values are read in sequence, so not in order, except in the index on `_id`.
  if (!first || (bounds.get(first.path)?.points && !index.isPrimary))
    return { ordered: false, reverse: false };
  const reverse = wanted[0]!.descending !== first.descending;
  const ordered = wanted.every(({ path, descending }, at) => {
    const field = index.fields[start + at];
    return field?.path === path && index.holdsScalars(path) && (descending !== field.descending) === reverse;
  });
  return { ordered, reverse: ordered && reverse };
}
