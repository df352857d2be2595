import { createLogger } from '@pulso/platform/logging/logger';
import { traceProcess } from '@pulso/platform/telemetry/tracing';
import { openDataDirectory } from './data-directory.js';
import type { EngineUrls } from './engines.js';
import { launch } from './launch.js';
import { startPulso } from './main.js';
import { readSettings } from './settings.js';

/** The message that the parent sends once. */
export interface StartMessage {
  urls: EngineUrls;
}

/** Messages to the parent: the gateway is ready, or everything is closed. */
export type ServicesMessage = 'ready' | 'closed';

/**
 * The services and the gateway as the restartable child of `npm run dev`, which keeps the engines and holds the data
 * directory's lock. The parent kills it after 'closed': a process with a debugger attached does not exit by itself.
 */
await launch(async ({ closers, stopWithin }) => {
  // The engines end with the parent, so an orderly close is no longer possible.
  process.on('disconnect', () => process.exit(1));
  closers.push(() => tell('closed'));
  const settings = readSettings(process.env);
  stopWithin(settings.stopDeadlineMs);
  const { urls } = await new Promise<StartMessage>((resolve) => process.once('message', resolve));
  const logger = createLogger({ service: 'pulso', level: settings.logLevel, pretty: process.stdout.isTTY });
  const tracing = await traceProcess('pulso', settings.tracing, logger);
  closers.push(async () => tracing?.stop());
  const data = await openDataDirectory(settings.dataDirectory);
  // No static files: Vite serves the pages.
  await startPulso({ settings, env: process.env, urls, data, logger, closers, staticDirectory: null });
  await tell('ready');
});

function tell(message: ServicesMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send!(message, undefined, undefined, (error) => (error ? reject(error) : resolve()));
  });
}
