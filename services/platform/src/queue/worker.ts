import { Registry } from 'prom-client';
import { PollingLoop } from '../jobs/polling-loop.js';
import type { Logger } from '../logging/logger.js';
import { counter, gauge, histogram } from '../telemetry/metrics.js';
import { JobSender } from './job-sender.js';
import { OutageLog } from './outage-log.js';
import type { JobWorker, QueueBackend } from './queue-backend.js';
import type { Work } from './work.js';

/** How often the rows that are due are looked for: the longest delay of a row that the queue has lost. */
const SWEEP_MS = 5_000;
const SWEPT_AT_ONCE = 500;
/** A row whose worker was killed leaves the queue's hands after this time at the latest. */
const LOCK_MS = 15_000;
/** A row's own state says how often it was tried. */
const ANY_NUMBER = 1_000_000;
const STATES = ['waiting', 'active'] as const;

export interface WorkerOptions {
  work: Work;
  backend: QueueBackend;
  logger: Logger;
  registry?: Registry;
  sweepMs?: number;
}

/** Does the work of a queue, and brings the due rows that the queue does not have into it. */
export class QueueWorker {
  private readonly sender: JobSender;
  private readonly worker: JobWorker;
  private readonly sweep: PollingLoop;
  private readonly work: Work;
  private running: Promise<void> = Promise.resolve();

  constructor({ work, backend, logger, registry = new Registry(), sweepMs = SWEEP_MS }: WorkerOptions) {
    this.work = work;
    const { queueName: name } = work.queue;
    this.sender = new JobSender(name, backend, logger);
    const seconds = histogram(registry, {
      name: 'pulso_queue_work_seconds',
      help: 'Time that workers took for rows of a queue',
      labelNames: ['queue', 'outcome'],
    });
    const swept = counter(registry, {
      name: 'pulso_queue_swept_total',
      help: 'Due rows that a sweep put into the queue: new ones whose dispatch was lost, and those to be tried again',
      labelNames: ['queue'],
    });
    const { queue } = this.sender;
    const jobs = gauge(registry, {
      name: 'pulso_queue_jobs',
      help: 'Jobs in the queue by state at the last sweep; not a number while the queue cannot be reached',
      labelNames: ['queue', 'state'],
    });
    const outages = new OutageLog(logger, `the worker of the queue ${name} cannot reach the queue`);
    this.worker = backend.openWorker(
      name,
      async ({ id }) => {
        outages.worked();
        const end = seconds.startTimer({ queue: name });
        try {
          await work.perform(id!);
          end({ outcome: 'done' });
        } catch (error) {
          end({ outcome: 'error' });
          throw error;
        }
      },
      {
        concurrency: work.concurrency,
        lockDuration: LOCK_MS,
        stalledInterval: LOCK_MS,
        maxStalledCount: ANY_NUMBER,
      },
    );
    this.worker.on('error', (error) => outages.failed(error));
    this.worker.on('failed', (job, err) => {
      logger.error({ err, queue: name, row: job?.id }, 'work failed; the row comes again when it is due');
    });
    this.sweep = new PollingLoop({
      name: `the sweep of the queue ${name}`,
      everyMs: sweepMs,
      logger,
      registry,
      work: async (stopping) => {
        for (const state of STATES) jobs.set({ queue: name, state }, NaN);
        const rows = await work.due(SWEPT_AT_ONCE);
        if (stopping.aborted) return;
        await this.sender.add(rows);
        swept.inc({ queue: name }, rows.length);
        if (stopping.aborted) return;
        const counts = await queue.getJobCounts(...STATES);
        for (const state of STATES) jobs.set({ queue: name, state }, counts[state] ?? 0);
      },
    });
  }

  start(): void {
    this.running = this.worker.run();
    this.sweep.start();
    this.sweep.nudge();
  }

  /** Takes no more rows, and waits for those in work. */
  async stop(): Promise<void> {
    // At once, so that no row is taken while the sweep ends.
    const closed = Promise.all([this.worker.close(), this.sweep.stop()]);
    this.work.stop?.();
    await closed;
    await this.running;
    await this.sender.close();
  }
}
