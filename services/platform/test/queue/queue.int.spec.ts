import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { createLogger } from '../../src/logging/logger.js';
import { JobSender } from '../../src/queue/job-sender.js';
import { inProcessQueues } from '../../src/queue/in-process-queues.js';
import type { QueueBackend } from '../../src/queue/queue-backend.js';
import { queue, type QueueClass } from '../../src/queue/queue.js';
import { redisQueues } from '../../src/queue/redis-queues.js';
import type { Work } from '../../src/queue/work.js';
import { QueueWorker, type WorkerOptions } from '../../src/queue/worker.js';
import { type Gate, gate } from '../../testing/gate.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { until } from '../../testing/until.js';

const logger = createLogger({ service: 'queue-test', level: 'silent' });
const redisUrl = process.env.PULSO_TEST_REDIS_URL;
const NEVER_MS = 3_600_000;

const adapters: Record<string, () => QueueBackend> = { 'within the process': inProcessQueues };
if (redisUrl) adapters['on Redis'] = () => redisQueues(redisUrl);

/** Rows in memory that are due until they are done. */
class Rows implements Work {
  readonly concurrency = 2;
  readonly rows = new Map<string, 'due' | 'done'>();
  readonly performed: string[] = [];
  /** What a row's work waits for. */
  gate?: Gate;
  stop?: () => void;
  failing = new Set<string>();
  /** Whether a sweep finds rows. */
  swept = true;

  constructor(readonly queue: QueueClass) {}

  add(...ids: string[]): void {
    for (const id of ids) this.rows.set(id, 'due');
  }
  async perform(id: string): Promise<void> {
    this.performed.push(id);
    await this.gate?.opened;
    if (this.failing.delete(id)) throw new Error('away');
    this.rows.set(id, 'done');
  }
  async due(limit: number): Promise<string[]> {
    if (!this.swept) return [];
    return [...this.rows]
      .filter(([, state]) => state === 'due')
      .map(([id]) => id)
      .slice(0, limit);
  }
  async untilDone(count: number): Promise<void> {
    const done = () => [...this.rows.values()].filter((state) => state === 'done').length;
    await until(() => done() >= count, { what: () => `${count} rows that are done; ${done()} are` });
  }
  async untilBegun(count: number): Promise<void> {
    await until(() => this.performed.length >= count, {
      what: () => `${count} rows in work or done; they were ${this.performed.join()}`,
    });
  }
}

// Rule: MAIL-5
describe.each(Object.entries(adapters))('a queue %s', (_name, open) => {
  let backend: QueueBackend;
  let rows: Rows;

  beforeAll(() => {
    backend = open();
  });
  afterAll(() => backend.close());
  beforeEach(() => {
    rows = new Rows(class extends queue(`test-${randomUUID()}`) {});
  });

  const aWorker = (options: Partial<WorkerOptions> = {}) => {
    const worker = new QueueWorker({
      work: rows,
      backend,
      logger,
      sweepMs: NEVER_MS,
      ...options,
    });
    worker.start();
    onTestEnd(() => {
      rows.gate?.open();
      return worker.stop();
    });
    return worker;
  };
  const aQueue = () => {
    const sender = new JobSender(rows.queue.queueName, backend, logger);
    onTestEnd(() => sender.close());
    return new rows.queue(sender);
  };

  it('brings the rows that are dispatched to a worker', async () => {
    rows.swept = false;
    aWorker();
    const ids = Array.from({ length: 20 }, (_, at) => `row_${at}`);
    rows.add(...ids);
    aQueue().dispatch(ids);
    await rows.untilDone(ids.length);
    expect(rows.performed.toSorted()).toEqual(ids.toSorted());
  });

  it('takes a row once, however often it is dispatched while it waits', async () => {
    const sender = new JobSender(rows.queue.queueName, backend, logger);
    onTestEnd(() => sender.close());
    rows.add('often', 'last');
    rows.swept = false;
    for (const id of ['often', 'often', 'often', 'last']) await sender.add([id]);
    aWorker();
    await rows.untilDone(2);
    expect(rows.performed.filter((id) => id === 'often')).toHaveLength(1);
  });

  it('takes a row again once it was done, as after a new due time', async () => {
    aWorker();
    const filled = aQueue();
    rows.add('again');
    filled.dispatch(['again']);
    await rows.untilDone(1);
    const isTakenAgain = () => {
      filled.dispatch(['again']);
      return rows.performed.length >= 2;
    };
    await until(isTakenAgain, { what: 'the row to be taken again' });
  });

  it('tells work that takes long that the worker stops', async () => {
    rows.gate = gate('the end of the worker');
    rows.add('long');
    rows.stop = () => rows.gate!.open();
    const worker = aWorker();
    await rows.untilBegun(1);
    await worker.stop();
    expect(rows.rows.get('long')).toBe('done');
  });

  it('finds rows that nobody has dispatched by its sweep', async () => {
    rows.add('forgotten');
    aWorker();
    await rows.untilDone(1);
  });

  it('repeats what has failed at the next sweep, and goes on with the others', async () => {
    rows.failing.add('fails once');
    rows.add('fails once', 'works');
    aWorker({ sweepMs: 50 });
    await rows.untilDone(2);
    expect(rows.performed.filter((id) => id === 'fails once').length).toBeGreaterThanOrEqual(2);
  });

  it('shares rows between workers', async () => {
    rows.gate = gate('the work to be let go');
    rows.add('a', 'b', 'c');
    aWorker();
    await rows.untilBegun(2);
    // The second worker's sweep could bring a row that is done by then.
    rows.swept = false;
    aWorker();
    await rows.untilBegun(3);
    rows.gate.open();
    await rows.untilDone(3);
    expect(rows.performed.toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('finishes the rows in work when it stops, and takes no more', async () => {
    rows.gate = gate('the work to be let go');
    rows.add('one', 'two', 'three');
    const worker = aWorker();
    await rows.untilBegun(2);
    const stopping = worker.stop();
    rows.gate.open();
    await stopping;
    expect([...rows.rows.values()].toSorted()).toEqual(['done', 'done', 'due']);
  });

  it('shows its jobs in the metrics', async () => {
    const registry = new Registry();
    rows.add('seen');
    aWorker({ registry, sweepMs: 20 });
    await rows.untilDone(1);
    const label = `queue="${rows.queue.queueName}"`;
    const shown = [
      `pulso_queue_jobs\\{${label},state="waiting"\\} 0`,
      `pulso_queue_jobs\\{${label},state="active"\\} 0`,
      // A sweep that has begun before the row was done brings it again.
      `pulso_queue_work_seconds_count\\{${label},outcome="done"\\} [1-9]`,
      `pulso_queue_swept_total\\{${label}\\} [1-9]`,
    ].map((line) => new RegExp(line));
    let text = '';
    const areShown = async () => {
      text = await registry.metrics();
      return shown.every((line) => line.test(text));
    };
    await until(areShown, { what: () => `the metrics of the jobs; the last ones were\n${text}` });
  });
});

describe('a queue within the process', () => {
  const aQueue = () => inProcessQueues().openQueue('bounded');
  const jobs = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      ...{ name: 'row', data: {} },
      opts: { jobId: `row_${at}`, removeOnComplete: true, removeOnFail: true } as const,
    }));

  it('leaves to the sweep what it has no room for', async () => {
    const filled = aQueue();
    await filled.addBulk(jobs(10_001));
    expect(await filled.getJobCounts('waiting', 'active')).toEqual({ waiting: 10_000, active: 0 });
  });

  it('works in no context of whoever has added', async () => {
    const context = new AsyncLocalStorage<string>();
    const backend = inProcessQueues();
    const options = { concurrency: 1, lockDuration: 1, stalledInterval: 1, maxStalledCount: 1 };
    const seen: (string | undefined)[] = [];
    const worker = backend.openWorker('apart', async () => void seen.push(context.getStore()), options);
    const running = worker.run();
    await context.run('a request', () => backend.openQueue('apart').addBulk(jobs(1)));
    await until(() => seen.length === 1, { what: 'the work' });
    await worker.close();
    await running;
    expect(seen).toEqual([undefined]);
  });
});
