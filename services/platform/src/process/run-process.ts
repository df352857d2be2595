import type { Registry } from 'prom-client';
import { ConfigError } from './load-config.js';
import { createLogger, type Logger } from '../logging/logger.js';
import { createRegistry } from '../telemetry/metrics.js';
import { traceProcess } from '../telemetry/tracing.js';
import type { ProcessSettings } from './process-settings.js';
import { StartError } from './start-error.js';

/** The longest time that a stop may take (Kubernetes waits 30 s by default). */
const STOP_DEADLINE_MS = 20_000;

export interface ProcessContext<C> {
  config: C;
  logger: Logger;
  registry: Registry;
  /** Registers a step of the stop; the last registered step runs first. */
  onStop(step: () => Promise<unknown> | void): void;
}

export interface ProcessOptions<C extends ProcessSettings> {
  /** The service's name, which starts every line. */
  name: string;
  /** Throws ConfigError. */
  readConfig(env: NodeJS.ProcessEnv): C;
  /** Resolves when the process serves. If it fails, the steps registered with `onStop` run too. */
  start(context: ProcessContext<C>): Promise<void>;
}

/**
 * Runs a process: reads its settings, starts it, and stops it on SIGTERM or SIGINT within 20 s and with exit code 0. A
 * second signal ends it at once. If the start fails, the stop fails or takes too long, or an error is not caught, it logs
 * one line and exits with code 1. For wrong settings and unreachable engines that line names the setting.
 */
export async function runProcess<C extends ProcessSettings>(options: ProcessOptions<C>): Promise<void> {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    process.stdout.write(
      `Usage: ${options.name}\n  Takes settings from the environment: docs/operations/settings.md.\n`,
    );
    return;
  }
  const life = new ProcessLife(options.name);
  let config: C;
  try {
    config = options.readConfig(process.env);
  } catch (error) {
    return life.refuse(error);
  }
  const { name } = options;
  const logger = createLogger({ service: name, level: config.LOG_LEVEL, pretty: process.stdout.isTTY });
  life.begin(logger);
  const tracing = await traceProcess(name, config, logger);
  // The last step of a stop, so that the spans of the other steps are sent too.
  life.onStop(() => tracing?.stop());
  try {
    await options.start({
      config,
      logger,
      registry: createRegistry(name),
      onStop: (step) => life.onStop(step),
    });
    logger.info({ pid: process.pid }, 'started');
  } catch (error) {
    await life.failedStart(error);
  }
}

class ProcessLife {
  private readonly steps: (() => Promise<unknown> | void)[] = [];
  private stopping = false;
  private logger: Logger | undefined;

  constructor(private readonly name: string) {}

  begin(logger: Logger): void {
    this.logger = logger;
    process.on('uncaughtException', (error) => {
      logger.fatal({ err: error }, 'uncaught error');
      process.exit(1);
    });
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (this.stopping) process.exit(1);
        void this.stop(signal);
      });
    }
    // If the launcher that forked this process has died, this process stops too.
    process.on('disconnect', () => {
      if (!this.stopping) void this.stop('disconnect');
    });
  }

  onStop(step: () => Promise<unknown> | void): void {
    this.steps.push(step);
  }

  /** Prints an error that the operator can fix as one line; any other error is a defect and is logged with its stack. */
  refuse(error: unknown): void {
    if (error instanceof StartError || error instanceof ConfigError) {
      process.stderr.write(`${this.name}: ${error.message}\n`);
    } else if (this.logger) this.logger.fatal({ err: error }, 'could not start');
    else throw error;
    process.exitCode = 1;
  }

  async failedStart(error: unknown): Promise<void> {
    // A stop during the start has already closed the start's resources.
    if (this.stopping) return;
    this.stopping = true;
    this.refuse(error);
    await this.undo();
    process.exit(1);
  }

  private async stop(reason: string): Promise<void> {
    this.stopping = true;
    const started = performance.now();
    this.logger!.info({ reason }, 'stopping');
    const clean = await this.undo();
    this.logger!.info({ milliseconds: Math.round(performance.now() - started) }, 'stopped');
    process.exit(clean ? 0 : 1);
  }

  /** Runs all steps of the stop; returns whether all of them succeeded. */
  private async undo(): Promise<boolean> {
    const deadline = setTimeout(() => {
      this.logger!.error({ deadline: STOP_DEADLINE_MS }, 'stopping took too long');
      process.exit(1);
    }, STOP_DEADLINE_MS);
    let clean = true;
    for (const step of this.steps.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        clean = false;
        this.logger!.error({ err: error }, 'a step of stopping failed');
      }
    }
    clearTimeout(deadline);
    return clean;
  }
}
