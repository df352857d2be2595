import type { CollectionStore } from '../store/collection.store.js';
import type { IndexDefinition } from '../store/index-definition.js';
import { encodeKey, successor } from '../values/key-encoding.js';
import { boundsByPath, rangeInterval, type FieldBounds, type KeyInterval } from './field-bounds.js';
import type { FieldTest, Filter } from './filter-parser.js';
import type { SortField } from './sort.js';

export interface Plan {
  index: IndexDefinition;
  /** Set when the filter names the documents' ids: their keys, ascending, to be read one by one. */
  points?: Buffer[];
  /** Read one after the other. */
  ranges: KeyInterval[];
  reverse: boolean;
  /** What is read comes in the order asked for. */
  ordered: boolean;
  /** Some condition bounds what is read; otherwise the whole collection or index is. */
  bounded: boolean;
  /** Every entry read meets the whole filter: no document needs to be looked at. */
  covered: boolean;
  /** An entry of the index may occur for a document already seen. */
  repeats: boolean;
}

type Bounds = Map<string, FieldBounds>;

/** Values of `$in`s followed one by one: documents by id are cheap, ranges of an index less so. */
const MAX_IDS = 100_000;
const MAX_POINTS = 1_000;

/**
 * Chooses how to read what a filter asks for, in the given order when an index has it. Without any usable index the
 * plan is the collection in `_id` order, `bounded: false`: its reader refuses past 1,000 documents.
 */
export function planQuery(collection: CollectionStore, filter: Filter, sort: SortField[]): Plan {
  const bounds = boundsByPath(filter);
  let best: Plan | undefined;
  for (const index of collection.allIndexes()) {
    const plan = planIndex(index, filter, bounds, sort);
    if (plan?.points) return plan;
    if (plan && (!best || score(plan, sort) > score(best, sort))) best = plan;
  }
  // The index on `_id` always gives a plan.
  return best!;
}

function score(plan: Plan, sort: SortField[]): number {
  const selective = plan.bounded ? 4 + plan.index.fields.length / 100 : 0;
  const ordered = sort.length > 0 && plan.ordered ? 8 : 0;
  return ordered + selective + equalities(plan) + (plan.covered ? 1 : 0);
}

/** How much of the keys the ranges fix, at most 2. */
function equalities(plan: Plan): number {
  const range = plan.ranges[0];
  if (!range) return 2;
  let shared = 0;
  const most = Math.min(range.lower.length, range.upper.length);
  while (shared < most && range.lower[shared] === range.upper[shared]) shared++;
  return Math.min(2, (shared - 4) / 64);
}

/** The plan over one index, or undefined when the index lacks documents the filter may ask for or helps in nothing. */
function planIndex(
  index: IndexDefinition,
  filter: Filter,
  bounds: Bounds,
  sort: SortField[],
): Plan | undefined {
  if (index.specification.sparse && !index.fields.some(({ path }) => bounds.get(path)?.present))
    return undefined;

  const used = new Set<FieldTest>();
  let exact = index.multikeyPaths.size === 0;
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
    exact &&= bound.exact;
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

/** Elements of an array may meet each bound alone: only one of the two can narrow the scan. */
function oneSided(bound: FieldBounds): FieldBounds {
  return bound.lower ? { ...bound, upper: undefined } : bound;
}

/** Whether an index, behind its leading fields of one known value each, has the order asked for. */
function orderOf(
  index: IndexDefinition,
  bounds: Bounds,
  sort: SortField[],
): { ordered: boolean; reverse: boolean } {
  const isKnown = (path: string): boolean => bounds.get(path)?.points?.length === 1;
  // A field with a single value orders nothing, unless it holds arrays: only an index on it knows that it does not.
  const wanted = sort.filter(({ path }) => !(isKnown(path) && index.holdsScalars(path)));
  if (wanted.length === 0) return { ordered: true, reverse: false };
  const start = index.fields.findIndex(({ path }) => !isKnown(path));
  const first = index.fields[start];
  // The ranges of several values are read one after the other: not in order, but for the documents themselves.
  if (!first || (bounds.get(first.path)?.points && !index.isPrimary))
    return { ordered: false, reverse: false };
  const reverse = wanted[0]!.descending !== first.descending;
  const ordered = wanted.every(({ path, descending }, at) => {
    const field = index.fields[start + at];
    return field?.path === path && index.holdsScalars(path) && (descending !== field.descending) === reverse;
  });
  return { ordered, reverse: ordered && reverse };
}
