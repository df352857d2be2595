import { DataSource } from 'typeorm';
import { DomainError } from '../../src/errors/domain-error.js';
import { ForeignCalls } from '../../src/foreign-calls/foreign-calls.js';
import { createLogger } from '../../src/logging/logger.js';
import { postgres } from '../../src/postgres/postgres-store.js';
import type { Clock } from '../../src/time/clock.js';

/** The steps at which a process is killed. */
export type Step = 'stored' | 'called';
interface Charge {
  amount: number;
}
interface Charged {
  id: string;
}

export const GIVE_UP_AFTER_MS = 60 * 60_000;

/** A service that charges through a foreign system; `reached` holds it at each step until it resolves. */
export async function openCharges(
  url: string,
  foreignUrl: string,
  clock: Clock,
  reached: (step: Step) => Promise<void> = () => Promise.resolve(),
) {
  const store = postgres({ entities: [], migrations: [], owns: [], foreignCalls: true });
  const target = { service: 'test', setting: 'TEST_DATABASE_URL', url, pool: 4 };
  await store.migrate(target);
  const dataSource = await new DataSource(store.dataSourceOptions(target)).initialize();
  const calls = new ForeignCalls(dataSource, clock, createLogger({ service: 'test', level: 'silent' }));
  const charges = calls.kind<Charge, Charged>({
    name: 'charge',
    giveUpAfterMs: GIVE_UP_AFTER_MS,
    async call({ amount }, key) {
      await reached('stored');
      const response = await fetch(foreignUrl, {
        method: 'POST',
        headers: { 'idempotency-key': key },
        body: `${amount}`,
      });
      if (!response.ok) throw new Error(`${response.status}`);
      const charged = (await response.json()) as Charged;
      await reached('called');
      return charged;
    },
    refusal: (error) =>
      (error as Error).message === '402'
        ? new DomainError('payment-required', 'The card was declined.')
        : undefined,
  });
  return { calls, charges, dataSource, close: () => dataSource.destroy() };
}
