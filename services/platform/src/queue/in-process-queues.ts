import { AsyncResource } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import type { Job, JobQueue, JobWorker, QueueBackend } from './queue-backend.js';

/** Some 100 bytes each. Whatever is beyond it comes by a sweep. */
const MAX_WAITING = 10_000;

/** The ids in one queue, which all its `JobQueue`s and workers share. */
class Waiting {
  /** In the order in which they came. */
  private readonly waiting = new Set<string>();
  readonly active = new Set<string>();
  private readonly wakes = new Set<() => void>();

  get counts(): Record<string, number> {
    return { waiting: this.waiting.size, active: this.active.size };
  }

  add(id: string): void {
    if (this.active.has(id) || this.waiting.size >= MAX_WAITING) return;
    this.waiting.add(id);
    for (const wake of this.wakes) wake();
  }

  /** The id that has waited longest, which is in work then. */
  take(): string | undefined {
    const [id] = this.waiting;
    if (id === undefined) return undefined;
    this.waiting.delete(id);
    this.active.add(id);
    return id;
  }

  /** `wake` is called with each id that is added, until the result is called. */
  onAdd(wake: () => void): () => void {
    this.wakes.add(wake);
    return () => this.wakes.delete(wake);
  }
}

/**
 * Queues within this process, for the embedded profile, where the workers are: no store is asked. They are lost with the
 * process, as any queue may be; the worker's first sweep finds the rows.
 */
export function inProcessQueues(): QueueBackend {
  const queues = new Map<string, Waiting>();
  const named = (name: string): Waiting => {
    const queue = queues.get(name) ?? new Waiting();
    queues.set(name, queue);
    return queue;
  };
  return {
    openQueue: (name) => new InProcessQueue(named(name)),
    openWorker: (name, process, { concurrency }) => new InProcessWorker(named(name), process, concurrency),
    close: () => Promise.resolve(),
  };
}

class InProcessQueue extends EventEmitter implements JobQueue {
  constructor(private readonly queue: Waiting) {
    super();
  }

  async addBulk(jobs: Parameters<JobQueue['addBulk']>[0]): Promise<void> {
    for (const { opts } of jobs) this.queue.add(opts.jobId);
  }

  async getJobCounts(): Promise<Record<string, number>> {
    return this.queue.counts;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

class InProcessWorker extends EventEmitter implements JobWorker {
  // Work inherits nothing of the request that has added it.
  private readonly outside = new AsyncResource('InProcessWorker');
  private readonly working = new Set<Promise<void>>();
  private isClosed = false;
  private isAsked = false;
  private end!: () => void;
  private readonly ended = new Promise<void>((resolve) => (this.end = resolve));
  private forget: () => void = () => undefined;

  constructor(
    private readonly queue: Waiting,
    private readonly process: (job: Job) => Promise<void>,
    private readonly concurrency: number,
  ) {
    super();
  }

  run(): Promise<void> {
    this.forget = this.queue.onAdd(() => this.ask());
    this.ask();
    return this.ended;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.forget();
    await Promise.all(this.working);
    this.end();
  }

  /** Looks for work soon: whoever adds some does not wait for its beginning. */
  private ask(): void {
    if (this.isAsked || this.isClosed) return;
    this.isAsked = true;
    this.outside.runInAsyncScope(() =>
      setImmediate(() => {
        this.isAsked = false;
        this.takeAll();
      }),
    );
  }

  private takeAll(): void {
    while (!this.isClosed && this.working.size < this.concurrency) {
      const id = this.queue.take();
      if (id === undefined) return;
      const work: Promise<void> = this.work(id).finally(() => {
        this.working.delete(work);
        this.takeAll();
      });
      this.working.add(work);
    }
  }

  private async work(id: string): Promise<void> {
    try {
      await this.process({ id });
    } catch (error) {
      this.emit('failed', { id }, error);
    } finally {
      this.queue.active.delete(id);
    }
  }
}
