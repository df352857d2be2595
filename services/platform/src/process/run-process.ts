import type { Registry } from 'prom-client';
import { ConfigError } from '../config/load-config.js';
import { createLogger, type Logger } from '../logging/logger.js';
import { createRegistry } from '../telemetry/metrics.js';
import { traceProcess } from '../telemetry/tracing.js';
import type { ProcessSettings } from './process-settings.js';
import { StartError } from '../start/start-error.js';

/** The longest a stop may take (Kubernetes' own patience is 30 s unless told otherwise). */
const STOP_DEADLINE_MS = 20_000;

export interface ProcessContext<C> {
  config: C;
  logger: Logger;
  registry: Registry;
  /** Registers a step of stopping; the last registered runs first. */
  onStop(step: () => Promise<unknown> | void): void;
}

export interface ProcessOptions<C extends ProcessSettings> {
  /** The service's name, in front of every line. */
  name: string;
  /** Throws ConfigError. */
  readConfig(env: NodeJS.ProcessEnv): C;
  /** Resolves when the process serves. What it registered by `onStop` is undone also when it fails. */
  start(context: ProcessContext<C>): Promise<void>;
}

/**
 * The life of a process: settings, start, work, and a stop on SIGTERM or SIGINT within 20 s and with exit code 0. A second
 * signal ends it at once. A start that fails, a stop that fails or takes too long, and an error that nobody caught end
 * it with one logged line and exit code 1; wrong settings and engines out of reach in one line that names the setting.
 */
export async function runProcess<C extends ProcessSettings>(options: ProcessOptions<C>): Promise<void> {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    process.stdout.write(
      `Usage: ${options.name}\n  Takes settings from the environment: docs/operations.md.\n`,
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
  // The last step of a stop: what the others did is sent, too.
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
    // A launcher that forked this process and has died takes it along.
    process.on('disconnect', () => {
      if (!this.stopping) void this.stop('disconnect');
    });
  }

  onStop(step: () => Promise<unknown> | void): void {
    this.steps.push(step);
  }

  /** Tells a reason that its reader can act on as one line; anything else is a defect and shows its stack. */
  refuse(error: unknown): void {
    if (error instanceof StartError || error instanceof ConfigError) {
      process.stderr.write(`${this.name}: ${error.message}\n`);
    } else if (this.logger) this.logger.fatal({ err: error }, 'could not start');
    else throw error;
    process.exitCode = 1;
  }

  async failedStart(error: unknown): Promise<void> {
    // A stop that came during the start has closed what the start was using.
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

  /** Runs the steps of stopping, all of them; whether each succeeded. */
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
