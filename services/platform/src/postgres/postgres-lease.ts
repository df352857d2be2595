import type { DataSource } from 'typeorm';
import { Lease } from '../events/outbox/lease.js';
import { CLAIM_MS } from '../events/outbox/outbox-source.js';

/** A lease in the table `leases`. */
export class PostgresLease extends Lease {
  constructor(
    private readonly name: string,
    private readonly dataSource: Pick<DataSource, 'query'>,
    elapsed?: () => number,
  ) {
    super(elapsed);
  }

  /** A lease that ends later than any can was taken before the database's clock went back, and counts as ended. */
  protected async take(): Promise<boolean> {
    const taken = await this.dataSource.query<unknown[]>(
      `INSERT INTO leases (name, holder, until) VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
       ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
         WHERE leases.holder = excluded.holder OR leases.until <= clock_timestamp()
           OR leases.until > clock_timestamp() + 2 * $3 * interval '1 millisecond'
       RETURNING name`,
      [this.name, this.holder, CLAIM_MS],
    );
    return taken.length > 0;
  }

  protected async remove(): Promise<void> {
    const own = [this.name, this.holder];
    await this.dataSource.query('DELETE FROM leases WHERE name = $1 AND holder = $2', own);
  }
}
