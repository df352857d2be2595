import { Schema } from 'mongoose';
import { Lease } from '../events/outbox/lease.js';
import { CLAIM_MS } from '../events/outbox/outbox-source.js';
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

/** A lease in the collection `leases`. */
export class MongoLease extends Lease {
  constructor(
    private readonly name: string,
    private readonly rows: PlainCollection<LeaseRow>,
    private readonly clock: Pick<StoreClock, 'now'>,
    elapsed?: () => number,
  ) {
    super(elapsed);
  }

  protected async take(mayBeOwn: boolean): Promise<boolean> {
    const now = await this.clock.now();
    const until = new Date(now + CLAIM_MS);
    return (mayBeOwn && (await this.renew(until))) || this.takeOver(new Date(now), until);
  }

  protected async remove(): Promise<void> {
    await this.rows.raw.deleteOne({ _id: this.name, holder: this.holder });
  }

  private async renew(until: Date): Promise<boolean> {
    const own = { _id: this.name, holder: this.holder };
    const { matchedCount } = await this.rows.raw.updateOne(own, { $set: { until } });
    return matchedCount > 0;
  }

  /** Matches a lease that has ended, else it inserts: that fails while another process has the lease. */
  private async takeOver(now: Date, until: Date): Promise<boolean> {
    try {
      await this.rows.raw.updateOne(
        { _id: this.name, until: { $lte: now } },
        { $set: { holder: this.holder, until } },
        { upsert: true },
      );
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return false;
    }
  }
}
