import { jest } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { CLAIM_MS } from '../../src/events/outbox/outbox-source.js';
import { PostgresOutbox } from '../../src/postgres/postgres-outbox.js';
import { outcome } from '../../testing/outcomes.js';
import { anOutboxDatabase } from './outbox-database.js';

describe('the claim on an outbox', () => {
  let dataSource: DataSource;
  let elapsed: number;
  const aReplica = () => new PostgresOutbox(dataSource, () => elapsed);
  const expire = () => dataSource.query("UPDATE leases SET until = now() - interval '1 millisecond'");

  beforeEach(async () => {
    ({ dataSource } = await anOutboxDatabase());
    elapsed = 0;
  });

  it('has one holder', async () => {
    const replicas = Array.from({ length: 8 }, aReplica);
    const claimed = await Promise.all(replicas.map((replica) => replica.claim()));
    expect(claimed.filter(Boolean)).toHaveLength(1);
    elapsed += CLAIM_MS;
    expect(await Promise.all(replicas.map((replica) => replica.claim()))).toEqual(claimed);
  });

  it('lasts `CLAIM_MS` by the clock of the database, and each call renews it', async () => {
    const one = aReplica();
    expect(await one.claim()).toBe(true);
    const left = async () => {
      const [row] = await dataSource.query(
        'SELECT extract(epoch FROM until - now())::float8 * 1000 AS ms FROM leases',
      );
      return row.ms as number;
    };
    expect(await left()).toBeLessThanOrEqual(CLAIM_MS);
    await dataSource.query("UPDATE leases SET until = now() + interval '1 second'");
    elapsed += CLAIM_MS / 3;
    expect(await one.claim()).toBe(true);
    expect(await left()).toBeGreaterThan(1_000);
  });

  it('passes on when it has expired, and the holder hears of it', async () => {
    const [one, two] = [aReplica(), aReplica()];
    expect([await one.claim(), await two.claim()]).toEqual([true, false]);
    await expire();
    expect(await two.claim()).toBe(true);
    elapsed += CLAIM_MS / 3;
    expect([await one.claim(), await two.claim()]).toEqual([false, true]);
  });

  it('asks the database again only after a third of its time', async () => {
    const [one, two] = [aReplica(), aReplica()];
    await one.claim();
    const query = jest.spyOn(dataSource, 'query');
    elapsed += CLAIM_MS / 3 - 1;
    expect(await one.claim()).toBe(true);
    expect(query).not.toHaveBeenCalled();
    elapsed += 1;
    expect(await one.claim()).toBe(true);
    for (let times = 0; times < 2; times += 1) expect(await two.claim()).toBe(false);
    expect(query).toHaveBeenCalledTimes(3);
    query.mockRestore();
  });

  it('is given back by its holder only', async () => {
    const [one, two] = [aReplica(), aReplica()];
    await one.claim();
    await two.claim();
    await two.unclaim();
    expect(await two.claim()).toBe(false);
    await one.unclaim();
    expect([await two.claim(), await one.claim()]).toEqual([true, false]);
    // The claim that it lost to another replica is not its own any more.
    await expire();
    elapsed += CLAIM_MS;
    expect(await one.claim()).toBe(true);
    await two.unclaim();
    expect(await aReplica().claim()).toBe(false);
  });

  it('is given back even if its answer was lost', async () => {
    const [one, two] = [aReplica(), aReplica()];
    const real = dataSource.query.bind(dataSource);
    const query = jest.spyOn(dataSource, 'query').mockImplementationOnce(async (...asked: [string]) => {
      await real(...asked);
      throw new Error('the connection broke');
    });
    expect(await outcome(one.claim())).toMatch('the connection broke');
    query.mockRestore();
    expect(await two.claim()).toBe(false);
    await one.unclaim();
    expect(await two.claim()).toBe(true);
  });

  it('of a database whose clock went back does not last for so long', async () => {
    await aReplica().claim();
    await dataSource.query("UPDATE leases SET until = now() + interval '1 day'");
    expect(await aReplica().claim()).toBe(true);
  });
});
