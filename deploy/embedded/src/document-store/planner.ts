import type { CollectionStore } from './collection.store.js';
import {
  boundsByPath,
  conjunction,
  rangeInterval,
  type FieldBounds,
  type KeyInterval,
} from './field-bounds.js';
import type { Filter, FieldTest } from './filter-parser.js';
import type { IndexDefinition } from './index-definition.js';
import { implies } from './filter-implication.js';
import { encodeKey, successor } from './key-encoding.js';

export interface SortField {
  path: string;
  descending: boolean;
}

export interface ScanRange extends KeyInterval {
  /** From this byte on, keys of all ranges of the plan compare in the order asked for. */
  sortOffset: number;
}

export interface Plan {
  index: IndexDefinition;
  /** Set when the filter names the documents' ids: their keys, ascending, to be read one by one. */
  points?: Buffer[];
  ranges: ScanRange[];
  reverse: boolean;
  /** Reading the ranges (merged) gives the order asked for. */
  ordered: boolean;
  /** Some condition bounds what is read; otherwise the whole collection or index is. */
  bounded: boolean;
  /** Every entry read meets the whole filter: no document needs to be looked at. */
  covered: boolean;
  /** An entry of the index may occur for a document already seen. */
  repeats: boolean;
}

/** Values of `$in`s followed one by one: documents by id are cheap, ranges of an index are merged. */
const MAX_IDS = 100_000;
const MAX_POINTS = 1_000;
const MAX_BRANCHES = 16;

/**
 * Chooses how to read what a filter asks for, in the given order when an index has it. Without any usable index the
 * plan is the collection in `_id` order, `bounded: false`: its reader refuses past 1,000 documents.
 */
export function planQuery(collection: CollectionStore, filter: Filter, sort: SortField[]): Plan {
  const branches = disjunction(filter);
  const merged = branches.length > 1;
  let best: Plan | undefined;
  for (const index of collection.allIndexes()) {
    const plan = combine(branches.map((branch) => planBranch(index, branch, sort, merged)));
    if (plan?.points) return plan;
    if (plan && (!best || isBetter(plan, best, sort.length > 0))) best = plan;
  }
  return best ?? fullScan(collection.primary);
}

/**
 * The filter as alternatives of plain conjunctions when it holds one `$or`: each alternative becomes ranges of its own,
 * as MongoDB's planner does; else the one conjunction there is.
 */
function disjunction(filter: Filter): Filter[] {
  const { fields, rest } = conjunction(filter);
  const or = rest.find((clause) => clause.kind === 'or');
  if (!or || or.kind !== 'or' || or.clauses.length > MAX_BRANCHES) return [filter];
  const shared: Filter[] = [
    ...fields.map(({ path, test }) => ({ kind: 'field' as const, path, parts: path.split('.'), test })),
    ...rest.filter((clause) => clause !== or),
  ];
  return or.clauses.map((clause) => ({ kind: 'and', clauses: [...shared, clause] }));
}

function combine(plans: (Plan | undefined)[]): Plan | undefined {
  const first = plans[0];
  if (!first || plans.length === 1) return first;
  if (plans.some((plan) => !plan || plan.reverse !== first.reverse)) return undefined;
  const all = plans as Plan[];
  return {
    index: first.index,
    ranges: all.flatMap((plan) => plan.ranges),
    reverse: first.reverse,
    ordered: all.every((plan) => plan.ordered),
    bounded: all.every((plan) => plan.bounded),
    covered: false,
    repeats: true,
  };
}

function isBetter(plan: Plan, other: Plan, sorting: boolean): boolean {
  return score(plan, sorting) > score(other, sorting);
}

function score(plan: Plan, sorting: boolean): number {
  const selective = plan.bounded ? 4 + plan.index.fields.length / 100 : 0;
  return (sorting && plan.ordered ? 8 : 0) + selective + equalities(plan) + (plan.covered ? 1 : 0);
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

function fullScan(primary: IndexDefinition): Plan {
  const range = { lower: primary.prefix, upper: successor(primary.prefix), sortOffset: 4 };
  return {
    index: primary,
    ranges: [range],
    reverse: false,
    ordered: false,
    bounded: false,
    covered: false,
    repeats: false,
  };
}

/** The plan over one index, or undefined when the index lacks documents the filter may ask for or helps in nothing. */
function planBranch(
  index: IndexDefinition,
  filter: Filter,
  sort: SortField[],
  merged: boolean,
): Plan | undefined {
  const { fields, rest } = conjunction(filter);
  const bounds = boundsByPath(fields);
  if (index.partialFilter && !implies(fields, index.partialFilter)) return undefined;
  if (index.sparse && !index.fields.some(({ path }) => bounds.get(path)?.present)) return undefined;

  const used = new Set<FieldTest>();
  let exact = rest.length === 0 && index.multikeyPaths.size === 0;
  let prefixes: { key: Buffer; sortOffset: number }[] = [{ key: index.prefix, sortOffset: 4 }];
  let intervals: ScanRange[] | undefined;
  const order = new SortMatch(sort, bounds, index, merged);

  for (const [at, field] of index.fields.entries()) {
    const bound = bounds.get(field.path);
    const points = bound?.points;
    if (points && prefixes.length * points.length <= (index.isPrimary ? MAX_IDS : MAX_POINTS)) {
      order.fixed(at, points.length);
      for (const test of bound.used) used.add(test);
      exact &&= bound.exact;
      prefixes = prefixes.flatMap(({ key, sortOffset }) =>
        points.map((value) => {
          const next = encodeKey(key, value, field.descending);
          return { key: next, sortOffset: order.started ? sortOffset : next.length };
        }),
      );
      continue;
    }
    if (bound && (bound.lower ?? bound.upper)) {
      const usable = index.multikeyPaths.has(field.path) ? oneSided(bound) : bound;
      for (const test of bound.used) used.add(test);
      exact &&= bound.exact;
      intervals = prefixes.map(({ key, sortOffset }) => ({
        ...rangeInterval(key, usable, field.descending),
        sortOffset,
      }));
    }
    order.rest(at);
    break;
  }

  const ranges =
    intervals ?? prefixes.map(({ key, sortOffset }) => ({ lower: key, upper: successor(key), sortOffset }));
  const narrowed = used.size > 0 || index.partialFilter !== undefined || index.sparse;
  const ordered = order.served;
  if (!narrowed && !ordered && !index.isPrimary) return undefined;
  const covered =
    exact && fields.every(({ path, test }) => used.has(test) || impliedByPartial(index, path, test));
  const byId = index.isPrimary && bounds.get('_id')?.points !== undefined && used.size > 0;
  return {
    index,
    ...(byId && !merged && { points: prefixes.map(({ key }) => key) }),
    ranges,
    reverse: order.reverse,
    ordered,
    bounded: narrowed,
    covered,
    repeats: index.multikeyPaths.size > 0,
  };
}

/** Elements of an array may meet each bound alone: only one of the two can narrow the scan. */
function oneSided(bound: FieldBounds): FieldBounds {
  return bound.lower ? { ...bound, upper: undefined } : bound;
}

function impliedByPartial(index: IndexDefinition, path: string, test: FieldTest): boolean {
  if (!index.partialFilter) return false;
  const { fields, rest } = conjunction(index.partialFilter);
  return rest.length === 0 && implies(fields, { kind: 'field', path, parts: path.split('.'), test });
}

/** Follows an index field by field to see whether it delivers the sort. */
class SortMatch {
  started = false;
  reverse = false;
  private next = 0;
  private broken = false;
  private readonly wanted: SortField[];

  constructor(
    sort: SortField[],
    bounds: Map<string, FieldBounds>,
    private readonly index: IndexDefinition,
    merged: boolean,
  ) {
    // A field with a single value orders nothing, unless it holds arrays. Merged alternatives keep it all the same:
    // their keys have to compare from the same field on.
    this.wanted = merged
      ? sort
      : sort.filter(({ path }) => bounds.get(path)?.points?.length !== 1 || index.multikeyPaths.has(path));
  }

  get served(): boolean {
    return !this.broken && this.next >= this.wanted.length;
  }

  /** The index field at this place has `count` known values. */
  fixed(at: number, count: number): void {
    if (this.isWanted(at)) this.take(at);
    else if (count > 1 && this.started) this.broken ||= this.next < this.wanted.length;
  }

  /** From this place on, keys run freely. */
  rest(from: number): void {
    for (let at = from; at < this.index.fields.length && this.next < this.wanted.length; at++) {
      if (!this.take(at)) return;
    }
  }

  private isWanted(at: number): boolean {
    return this.wanted[this.next]?.path === this.index.fields[at]!.path;
  }

  private take(at: number): boolean {
    const field = this.index.fields[at]!;
    const wanted = this.wanted[this.next];
    if (this.broken || !wanted || wanted.path !== field.path || this.index.multikeyPaths.has(field.path)) {
      this.broken = true;
      return false;
    }
    const reverse = wanted.descending !== field.descending;
    if (this.started && reverse !== this.reverse) {
      this.broken = true;
      return false;
    }
    this.reverse = reverse;
    this.started = true;
    this.next++;
    return true;
  }
}
