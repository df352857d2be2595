import { CommandError } from '../rules/command-error.js';
import type { CollectionStore } from '../store/collection.store.js';
import { decodeDocument } from '../values/bson-values.js';
import { pickFields } from '../values/raw-fields.js';
import { compileFilter, type Predicate } from './filter-matcher.js';
import type { Filter } from './filter-parser.js';
import { IndexScan } from './index-scan.js';
import { documentsOfKeys, type KeyDocument } from './key-document.js';
import { planQuery, type Plan } from './planner.js';
import type { Projection } from './projection.js';
import { sortDocuments, type SortField } from './sort.js';

/** The maximum number of documents that an unindexed filter may scan, and that an unindexed sort may hold. */
const UNINDEXED_LIMIT = 1_000;
const DEADLINE_CHECK_EVERY = 128;

export interface FindOptions {
  filter: Filter;
  sort?: SortField[];
  project?: Projection;
  /** 0 or missing: no limit. */
  limit?: number;
  /** Milliseconds since the epoch after which the query gives up. */
  deadline: number;
}

/** A query over one collection. After `release` it continues with the newest data from its last position. */
export class FindQuery {
  private readonly filter: Filter;
  private readonly sort: SortField[];
  private readonly plan: Plan;
  private readonly predicate: Predicate | undefined;
  private readonly predicateFields: Set<string>;
  /** Makes what is asked for of an index's key; undefined where documents have to be read. */
  private readonly ofKey: KeyDocument | undefined;
  private readonly scan: IndexScan;
  private readonly seen: Set<string> | undefined;
  private sorted: Buffer[] | undefined;
  private left: number;
  private examined = 0;
  private rejected = 0;

  constructor(
    private readonly collection: CollectionStore,
    private readonly options: FindOptions,
  ) {
    this.filter = options.filter;
    this.sort = options.sort ?? [];
    this.plan = planQuery(collection, this.filter, this.sort);
    if (!this.plan.covered) this.predicate = compileFilter(this.filter);
    this.predicateFields = new Set(this.filter.map(({ parts }) => parts[0]!));
    this.ofKey = this.sortsInMemory ? undefined : documentsOfKeys(this.plan, options.project?.only);
    this.scan = new IndexScan(collection.storage, this.plan);
    this.seen = this.plan.repeats ? new Set() : undefined;
    this.left = options.limit || Infinity;
  }

  get isDone(): boolean {
    return this.left === 0;
  }

  /** @throws QueryPlanKilled (175) when the collection has been dropped since */
  next(deadline = this.options.deadline): Buffer | undefined {
    const { collection, options } = this;
    if (collection.isGone) throw new CommandError(175, `collection dropped: ${collection.namespace}`);
    if (this.isDone) return undefined;
    const found = this.sortsInMemory ? this.nextSorted(deadline) : this.read(deadline);
    this.left = found ? this.left - 1 : 0;
    return found && options.project && !this.ofKey ? options.project.pick(found) : found;
  }

  release(): void {
    this.scan.release();
  }

  /** All results, for writers and aggregations. */
  all(): Buffer[] {
    const found: Buffer[] = [];
    this.each((document) => found.push(document));
    return found;
  }

  /**
   * The number of documents that meet the filter within the limit; from the index's keys alone where they decide it.
   */
  count(): number {
    const { plan } = this;
    let counted = 0;
    if (plan.covered && !plan.repeats) {
      for (const { lower, upper } of plan.ranges) counted += this.collection.storage.countKeys(lower, upper);
      return Math.min(this.left, counted);
    }
    this.each(() => counted++);
    return counted;
  }

  private get sortsInMemory(): boolean {
    return this.sort.length > 0 && !this.plan.ordered;
  }

  private each(visit: (document: Buffer) => void): void {
    try {
      for (let next = this.next(); next; next = this.next()) visit(next);
    } finally {
      this.release();
    }
  }

  private nextSorted(deadline: number): Buffer | undefined {
    if (!this.sorted) {
      const all: Buffer[] = [];
      for (let found = this.read(deadline); found; found = this.read(deadline)) {
        if (all.length === UNINDEXED_LIMIT) throw this.refusal(292, 'no index has the order of the sort of');
        all.push(found);
      }
      this.sorted = sortDocuments(all, decodeDocument, this.sort).reverse();
    }
    return this.sorted.pop();
  }

  /** The next document in scan order that meets the filter; of a query that the index alone answers, its requested fields. */
  private read(deadline: number): Buffer | undefined {
    for (let entry = this.scan.next(); entry; entry = this.scan.next()) {
      if (++this.examined % DEADLINE_CHECK_EVERY === 0 && Date.now() > deadline) {
        throw new CommandError(50, 'operation exceeded time limit');
      }
      const idKey = this.plan.index.isPrimary ? entry.key.subarray(4) : entry.value;
      if (this.seen) {
        const id = Buffer.from(idKey).toString('latin1');
        if (this.seen.has(id)) continue;
        this.seen.add(id);
      }
      const raw = this.plan.index.isPrimary ? entry.value : (this.ofKey?.(entry.key) ?? this.stored(idKey));
      // Nothing is written between two reads of one command, so an entry without its document means that the index is
      // corrupt.
      if (!raw)
        throw new Error(
          `index ${this.plan.index.specification.name} of ${this.collection.namespace} does not match the documents`,
        );
      const wanted = this.isWanted(raw);
      if (!wanted) this.rejected++;
      // An index without bounds is still useful for its order, as long as most documents read are wanted.
      const inVain = this.sort.length > 0 && this.plan.ordered ? this.rejected : this.examined;
      if (!this.plan.bounded && inVain > UNINDEXED_LIMIT) throw this.refusal(291, 'no index serves');
      if (wanted) return raw;
    }
    return undefined;
  }

  /** A document; of a query that the index alone answers, its requested fields, which this key does not tell. */
  private stored(idKey: Uint8Array): Buffer | undefined {
    const raw = this.collection.read(idKey);
    return raw && this.ofKey ? this.options.project!.pick(raw) : raw;
  }

  /** Decodes only the fields that the filter names. */
  private isWanted(raw: Buffer): boolean {
    return this.predicate?.(decodeDocument(pickFields(raw, this.predicateFields))) ?? true;
  }

  private refusal(code: 291 | 292, reason: string): CommandError {
    const filter = this.filter.map(({ path, test }) => `${path} ${JSON.stringify(test)}`).join(', ');
    const order = this.sort.map(({ path, descending }) => `${path}: ${descending ? -1 : 1}`).join(', ');
    return new CommandError(
      code,
      `${reason} the query on ${this.collection.namespace} with filter { ${filter} } and sort { ${order} }: ` +
        `this server stops at ${UNINDEXED_LIMIT} documents`,
    );
  }
}
