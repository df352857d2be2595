/** A piece of work in a queue: the id of a row. */
export interface Job {
  id?: string;
}

export interface JobOptions {
  jobId: string;
  removeOnComplete: true;
  removeOnFail: true;
}

/** A queue of row ids. These are the parts of BullMQ's queue that we use; the queue within a process has the same. */
export interface JobQueue {
  /** Adds each job whose id is neither waiting nor in work. */
  addBulk(jobs: { name: string; data: unknown; opts: JobOptions }[]): Promise<unknown>;
  getJobCounts(...states: string[]): Promise<Record<string, number>>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

/** What takes jobs out of a queue: the parts of BullMQ's worker that we use. */
export interface JobWorker {
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'failed', listener: (job: Job | undefined, error: Error) => void): unknown;
  /** Resolves when the worker is closed. */
  run(): Promise<void>;
  /** Takes no more jobs and waits for those in work. */
  close(): Promise<void>;
}

export interface JobWorkerOptions {
  /** How many jobs are in work at once. */
  concurrency: number;
  /** Milliseconds after which a job belongs no more to a worker that has died. */
  lockDuration: number;
  /** Milliseconds between the looks for such jobs. */
  stalledInterval: number;
  maxStalledCount: number;
}

/** Where queues are. */
export interface QueueBackend {
  openQueue(name: string): JobQueue;
  /** It starts with `run`. */
  openWorker(name: string, process: (job: Job) => Promise<void>, options: JobWorkerOptions): JobWorker;
  /** Closes the connections; the queues and workers are closed before. */
  close(): Promise<void>;
}
