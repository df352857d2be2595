import { type ReadinessCheck, startOperationsServer } from '../health/operations-server.js';
import { type ProcessContext, runProcess } from '../process/run-process.js';
import { openQueues } from '../queue/open-queues.js';
import { openSignals } from '../signals/open-signals.js';
import { listenOrExplain } from '../process/listening.js';
import type { WorkerDefinition } from './define-worker.js';
import { readWorkerProcess, type WorkerProcessConfig } from './process-config.js';
import { startWorker } from './start-worker.js';

/**
 * Runs a worker in its own process, on the service's store and on Redis, with probes and metrics on OPERATIONS_PORT. On
 * SIGTERM it takes no more rows, finishes those in work, and ends.
 */
export function runWorker(definition: WorkerDefinition): Promise<void> {
  return runProcess<WorkerProcessConfig>({
    name: definition.name,
    readConfig: (env) => readWorkerProcess(definition, env),
    start: (context) => startProcess(definition, context),
  });
}

async function startProcess(
  definition: WorkerDefinition,
  context: ProcessContext<WorkerProcessConfig>,
): Promise<void> {
  const { config, logger, registry, onStop } = context;
  const { service } = definition;
  const checks: Record<string, ReadinessCheck> = {};
  const operations = await listenOrExplain({ OPERATIONS_PORT: config.OPERATIONS_PORT }, () =>
    startOperationsServer({ port: config.OPERATIONS_PORT, checks, registry }),
  );
  onStop(() => operations.close());
  await service.store.assertReady(config.worker.store);
  const signals = service.signals ? await openSignals(config.REDIS_URL, context) : undefined;
  const queues = await openQueues(config.REDIS_URL, context);
  const worker = await startWorker(definition, {
    ...{ settings: config.worker, queues, signals, logger, registry },
  });
  onStop(() => worker.close());
  Object.assign(checks, worker.checks);
  operations.setReady(true);
  onStop(() => operations.setReady(false));
}
