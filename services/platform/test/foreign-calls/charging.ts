import { aPostgresDatabase } from '../../testing/databases.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { type ChargesOptions, openCharges } from './charges.js';
import { ForeignSystem } from './foreign-system.js';

export const MINUTE = 60_000;

/** The order `order` of a user, with its key. */
export const idOf = (order = 'order-1', caller = 'user:ana') => ({ caller, key: order });
export const chargeOf = (order = 'order-1', amount = 5) => ({ order, amount });

/** A foreign system, a database and the service's replicas that a test opens; all of it ends with the test. */
export async function charging() {
  const database = await aPostgresDatabase('calls');
  onTestEnd(() => database.drop());
  const foreign = new ForeignSystem();
  await foreign.listen();
  onTestEnd(() => foreign.close());
  const column = async (query: string) =>
    (await database.pool.query<{ value: string }>(query)).rows.map(({ value }) => value);
  return {
    database,
    foreign,
    async open(options: ChargesOptions = {}, foreignUrl = foreign.url) {
      const service = await openCharges(database.url, foreignUrl, options);
      onTestEnd(() => service.close());
      return service;
    },
    states: () => column('SELECT state AS value FROM foreign_calls ORDER BY kind, caller, key'),
    /** How the calls have ended, as the service has written it down. */
    ledger: () => column('SELECT ending AS value FROM ledger ORDER BY at'),
    /** Lets time pass, as the database sees it. */
    async pass(ms: number) {
      await database.pool.query(
        `UPDATE foreign_calls SET created_at = created_at - $1::float8 * interval '1 millisecond',
           due_at = due_at - $1::float8 * interval '1 millisecond', tried_at = tried_at - $1::float8 * interval '1 millisecond',
           doubtful_since = doubtful_since - $1::float8 * interval '1 millisecond',
           ended_at = ended_at - $1::float8 * interval '1 millisecond'`,
        [ms],
      );
    },
  };
}

export type Charging = Awaited<ReturnType<typeof charging>>;
export type Service = Awaited<ReturnType<Charging['open']>>;
