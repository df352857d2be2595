import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Registry } from 'prom-client';
import type { ReadinessCheck } from '../health/operations-server.js';
import type { Logger } from '../logging/logger.js';
import { NestLogger } from '../logging/nest-logger.js';
import type { QueueBackend } from '../queue/queue-backend.js';
import { QueueWorker } from '../queue/worker.js';
import { InProcessSignals } from '../signals/in-process-signals.js';
import type { Signals } from '../signals/signals.js';
import { type Clock, systemClock } from '../time/clock.js';
import type { WorkerDefinition } from './define-worker.js';
import { Readiness } from './readiness.js';
import { storeModule } from './service-module.js';
import { OpenStore } from './store.js';
import type { WorkerSettings } from './worker-settings.js';

export interface WorkerStart {
  settings: WorkerSettings;
  queues: QueueBackend;
  /** Heard by nobody else unless given. */
  signals?: Signals;
  clock?: Clock;
  logger: Logger;
  registry?: Registry;
}

export interface RunningWorker {
  get<T>(part: Type<T> | (abstract new () => T)): T;
  /** Each check rejects while the part that it is named after does not work. */
  checks: Readonly<Record<string, ReadinessCheck>>;
  /** Takes no more rows, finishes those in work, and closes the store. */
  close(): Promise<void>;
}

/**
 * Starts a worker on a migrated store. The relay of the service's own process publishes what the worker writes. If the store
 * cannot be reached, rejects.
 */
export async function startWorker(
  definition: WorkerDefinition,
  options: WorkerStart,
): Promise<RunningWorker> {
  const { settings, queues: backend, clock = systemClock, logger, registry = new Registry() } = options;
  const { signals = new InProcessSignals() } = options;
  const { store, signals: sends } = definition.service;
  const parts = { settings: definition.settings, store, module: definition.module, signals: sends };
  const bus = { publish: () => Promise.reject(new Error('a worker publishes nothing')) };
  const app = await NestFactory.createApplicationContext(
    storeModule(parts, { settings, bus, signals, clock, logger, registry }),
    { logger: new NestLogger(logger), abortOnError: false },
  );
  const get: RunningWorker['get'] = (part) => app.get(part as Type, { strict: false });
  try {
    const workers = definition.works.map(
      (part) => new QueueWorker({ work: get(part), backend, logger, registry }),
    );
    for (const worker of workers) worker.start();
    return {
      get,
      checks: { store: () => get(OpenStore).ping(), ...get(Readiness).checks },
      async close() {
        await Promise.all(workers.map((worker) => worker.stop()));
        await app.close();
      },
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}
