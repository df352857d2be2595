import type { Document } from 'bson';
import { decodeDocument } from './bson-values.js';
import type { CollectionStore } from './collection.store.js';
import { CommandError } from './command-error.js';
import { compileFilter, fieldsOf, type Predicate } from './filter-matcher.js';
import { parseFilter, type Filter } from './filter-parser.js';
import { IndexScan } from './index-scan.js';
import { planQuery, type Plan, type SortField } from './planner.js';
import { pickFields } from './raw-fields.js';
import { sortDocuments } from './sort.js';
import type { Storage } from './storage.js';

/** Documents an unindexed filter may look at, and an unindexed sort may hold. */
const UNINDEXED_LIMIT = 1_000;
const REPLY_BYTES = 16 * 1024 * 1024;
const DEADLINE_CHECK_EVERY = 128;

export interface FindOptions {
  filter: Document;
  sort: SortField[];
  skip: number;
  /** 0: no limit. */
  limit: number;
  /** Milliseconds since the epoch after which the query gives up. */
  deadline: number;
}

/** One query over one collection, read batch by batch. A batch sees the newest data, from where the last one ended. */
export class FindQuery {
  private readonly filter: Filter;
  private readonly plan: Plan;
  private readonly predicate: Predicate | undefined;
  private readonly predicateFields: Set<string> | undefined;
  private readonly scan: IndexScan;
  private readonly seen: Set<string> | undefined;
  private sorted: Buffer[] | undefined;
  private toSkip: number;
  private left: number;
  private examined = 0;
  private rejected = 0;
  private finished = false;
  private ahead: Buffer | undefined;

  constructor(
    private readonly storage: Storage,
    private readonly collection: CollectionStore,
    private readonly options: FindOptions,
  ) {
    this.filter = parseFilter(options.filter);
    this.plan = planQuery(collection, this.filter, options.sort);
    if (!this.plan.covered) {
      this.predicate = compileFilter(this.filter);
      this.predicateFields = fieldsOf(this.filter);
    }
    this.scan = new IndexScan(storage, this.plan);
    this.seen = this.plan.repeats ? new Set() : undefined;
    this.toSkip = options.skip;
    this.left = options.limit === 0 ? Infinity : options.limit;
  }

  get isDone(): boolean {
    return this.finished;
  }

  /** Up to `count` documents, fewer when their bytes would not fit one reply. */
  batch(count: number, deadline = this.options.deadline): Buffer[] {
    const found: Buffer[] = [];
    let bytes = 0;
    try {
      while (found.length < count) {
        const next = this.ahead ?? this.next(deadline);
        this.ahead = undefined;
        if (!next) {
          this.finished = true;
          break;
        }
        if (found.length > 0 && bytes + next.length > REPLY_BYTES) {
          this.ahead = next;
          break;
        }
        bytes += next.length;
        found.push(next);
      }
      if (this.left === 0 && !this.ahead) this.finished = true;
    } finally {
      this.scan.release();
    }
    return found;
  }

  /** Everything there is, for writers and aggregations. */
  all(): Buffer[] {
    const found: Buffer[] = [];
    try {
      for (let next = this.next(this.options.deadline); next; next = this.next(this.options.deadline))
        found.push(next);
    } finally {
      this.scan.release();
    }
    return found;
  }

  /** How many documents meet the filter within skip and limit; from the index's keys alone where they decide it. */
  count(): number {
    const { plan, options } = this;
    if (plan.covered && !plan.repeats) {
      const all = plan.ranges.reduce(
        (sum, { lower, upper }) => sum + this.storage.countKeys(lower, upper),
        0,
      );
      return Math.min(this.left, Math.max(0, all - options.skip));
    }
    let counted = 0;
    try {
      while (this.next(options.deadline)) counted++;
    } finally {
      this.scan.release();
    }
    return counted;
  }

  private next(deadline: number): Buffer | undefined {
    for (;;) {
      if (this.left === 0) return undefined;
      const found =
        this.options.sort.length > 0 && !this.plan.ordered ? this.nextSorted(deadline) : this.read(deadline);
      if (!found) return undefined;
      if (this.toSkip > 0) {
        this.toSkip--;
        continue;
      }
      this.left--;
      return found;
    }
  }

  private nextSorted(deadline: number): Buffer | undefined {
    if (!this.sorted) {
      const all: Buffer[] = [];
      for (let found = this.read(deadline); found; found = this.read(deadline)) {
        if (all.length === UNINDEXED_LIMIT) throw this.refusal(292, 'no index has the order of the sort of');
        all.push(found);
      }
      this.sorted = sortDocuments(all, decodeDocument, this.options.sort).reverse();
    }
    return this.sorted.pop();
  }

  /** The next document in scan order that meets the filter. */
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
      const raw = this.plan.index.isPrimary ? entry.value : this.collection.read(idKey);
      // Between two reads of one command nothing is written: an entry without its document is damage.
      if (!raw)
        throw new Error(`index ${this.plan.index.name} of ${this.collection.namespace} is out of step`);
      const wanted = this.isWanted(raw);
      if (!wanted) this.rejected++;
      // Without bounds, an index still pays off by its order, as long as most of what is read is wanted.
      const inVain = this.options.sort.length > 0 && this.plan.ordered ? this.rejected : this.examined;
      if (!this.plan.bounded && inVain > UNINDEXED_LIMIT) throw this.refusal(291, 'no index serves');
      if (wanted) return raw;
    }
    return undefined;
  }

  /** Only the fields the filter names are decoded. */
  private isWanted(raw: Buffer): boolean {
    if (!this.predicate) return true;
    return this.predicate(decodeDocument(pickFields(raw, this.predicateFields!) ?? raw));
  }

  private refusal(code: 291 | 292, reason: string): CommandError {
    const { filter, sort } = this.options;
    const order = sort.map(({ path, descending }) => `${path}: ${descending ? -1 : 1}`).join(', ');
    return new CommandError(
      code,
      `${reason} the query on ${this.collection.namespace} with filter ${JSON.stringify(filter)} and sort { ${order} }: ` +
        `this server stops at ${UNINDEXED_LIMIT} documents`,
    );
  }
}
