import { CLAIM_MS } from '../../src/events/outbox/outbox-source.js';
import { MongoDatabase } from '../../src/mongo/mongo-database.js';
import { LeaseRows, MongoLease } from '../../src/mongo/mongo-lease.js';
import { aMongoDatabase } from '../../testing/databases.js';

describe('the claim of an outbox in MongoDB', () => {
  const { url, drop } = aMongoDatabase('platform');
  let database: MongoDatabase;
  let rows: LeaseRows;
  /** The store's clock, and the time that has passed in each process. */
  let storeMs: number;
  let passedMs: number;
  beforeAll(async () => {
    database = await MongoDatabase.open({ url, pool: 5 }, [LeaseRows.declaration]);
    rows = new LeaseRows(database);
  });
  afterAll(async () => {
    await database?.close();
    await drop();
  });
  beforeEach(async () => {
    await rows.raw.deleteMany({ _id: { $gt: '' } });
    storeMs = Date.UTC(2026, 10, 20);
    passedMs = 0;
  });

  const aProcess = (kept: Pick<LeaseRows, 'raw' | 'name'> = rows) =>
    new MongoLease('outbox', kept as LeaseRows, { now: async () => storeMs }, () => passedMs);
  const pass = (ms: number) => {
    storeMs += ms;
    passedMs += ms;
  };

  it('is of one process at most, and ends when that is gone', async () => {
    const processes = Array.from({ length: 8 }, () => aProcess());
    const claims = await Promise.all(processes.map((one) => one.claim()));
    expect(claims.filter(Boolean)).toHaveLength(1);
    const holder = processes[claims.indexOf(true)]!;
    const other = processes[claims.indexOf(false)]!;
    // Renewed by its holder, it lasts longer than its first time.
    for (let renewals = 0; renewals < 4; renewals++) {
      pass(CLAIM_MS / 2);
      expect(await holder.claim()).toBe(true);
      expect(await other.claim()).toBe(false);
    }
    pass(CLAIM_MS - 1);
    expect(await other.claim()).toBe(false);
    pass(1);
    expect(await other.claim()).toBe(true);
    expect(await holder.claim()).toBe(false);
  });

  it('is free once it is given back, by its holder alone', async () => {
    const [holder, other] = [aProcess(), aProcess()];
    expect(await holder.claim()).toBe(true);
    await other.unclaim();
    expect(await other.claim()).toBe(false);
    await holder.unclaim();
    await holder.unclaim();
    expect(await other.claim()).toBe(true);
    await holder.unclaim();
    expect(await holder.claim()).toBe(false);
    await other.unclaim();
    expect(await holder.claim()).toBe(true);
  });

  it('is written again after a third of its time, and not before', async () => {
    const holder = aProcess();
    await holder.claim();
    const until = async () => (await rows.findOne({ _id: 'outbox' }))!.until.getTime() - storeMs;
    pass(CLAIM_MS / 3 - 1);
    expect(await holder.claim()).toBe(true);
    expect(await until()).toBe((CLAIM_MS / 3) * 2 + 1);
    pass(1);
    expect(await holder.claim()).toBe(true);
    expect(await until()).toBe(CLAIM_MS);
  });

  it('is kept by a process whose last attempt failed after it had reached the store', async () => {
    let isLost = false;
    const raw = {
      async updateOne(...parts: Parameters<typeof rows.raw.updateOne>) {
        const result = await rows.raw.updateOne(...parts);
        if (isLost) throw new Error('connection lost');
        return result;
      },
    };
    const holder = aProcess({ name: 'leases', raw: raw as never });
    isLost = true;
    await expect(holder.claim()).rejects.toThrow('connection lost');
    isLost = false;
    expect(await aProcess().claim()).toBe(false);
    expect(await holder.claim()).toBe(true);
  });
});
