import { Schema } from 'mongoose';
import { CLAIM_MS } from '../events/outbox-source.js';
import { newId } from '../ids/uuid-v7.js';
import { collection, type PlainCollection } from './collection.js';
import { isDuplicateKey } from './queries.js';
import { SCHEMA_OPTIONS } from './schema-options.js';
import type { StoreClock } from './store-clock.js';

/** Work of which one process does all at a time. */
export interface LeaseRow {
  /** The name of the work. */
  _id: string;
  /** The process. */
  holder: string;
  /** By the store's clock. */
  until: Date;
}

const leaseSchema = new Schema<LeaseRow>(
  {
    _id: { type: String, required: true },
    holder: { type: String, required: true },
    until: { type: Date, required: true },
  },
  SCHEMA_OPTIONS,
);

export class LeaseRows extends collection<LeaseRow>({ name: 'leases', schema: leaseSchema }) {}

/** A lease of `CLAIM_MS` by the store's clock, which at most one process has. */
export class MongoLease {
  private readonly holder = newId();
  /** When the lease was renewed last, by `elapsed`; undefined if this process does not have it. */
  private renewedAt: number | undefined;
  /** Whether the row may be this process's: an attempt that failed may have reached the store. */
  private mayBeOwn = false;

  /** `elapsed` is a clock of this process that never goes back, in ms. */
  constructor(
    private readonly name: string,
    private readonly rows: PlainCollection<LeaseRow>,
    private readonly clock: Pick<StoreClock, 'now'>,
    private readonly elapsed: () => number = () => performance.now(),
  ) {}

  /** Whether this process has the lease now. Takes a free one and renews its own, with at most one write every `CLAIM_MS / 3`. */
  async claim(): Promise<boolean> {
    const at = this.elapsed();
    if (this.renewedAt !== undefined && at - this.renewedAt < CLAIM_MS / 3) return true;
    this.renewedAt = undefined;
    const now = await this.clock.now();
    const until = new Date(now + CLAIM_MS);
    const isOwn = (this.mayBeOwn && (await this.renew(until))) || (await this.take(new Date(now), until));
    if (isOwn) this.renewedAt = at;
    return isOwn;
  }

  /** Gives the lease back, if this process has it. */
  async unclaim(): Promise<void> {
    this.renewedAt = undefined;
    if (!this.mayBeOwn) return;
    await this.rows.raw.deleteOne({ _id: this.name, holder: this.holder });
    this.mayBeOwn = false;
  }

  private async renew(until: Date): Promise<boolean> {
    const own = { _id: this.name, holder: this.holder };
    const { matchedCount } = await this.rows.raw.updateOne(own, { $set: { until } });
    return matchedCount > 0;
  }

  /** Matches a lease that has ended, else it inserts: that fails while another process has the lease. */
  private async take(now: Date, until: Date): Promise<boolean> {
    this.mayBeOwn = true;
    try {
      await this.rows.raw.updateOne(
        { _id: this.name, until: { $lte: now } },
        { $set: { holder: this.holder, until } },
        { upsert: true },
      );
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      this.mayBeOwn = false;
      return false;
    }
  }
}
