import { createLogger } from '@pulso/platform/logging/logger';
import { traceProcess } from '@pulso/platform/telemetry/tracing';
import { openDataDirectory } from './data-directory.js';
import type { EngineUrls } from './engines.js';
import { launch } from './launch.js';
import { startPulso } from './main.js';
import { readSettings } from './settings.js';

/** What the parent sends once. */
export interface StartMessage {
  urls: EngineUrls;
}

/** What the parent gets: the gateway answers, or everything is closed. */
export type ServicesMessage = 'ready' | 'closed';

/**
 * The services and the gateway as the restartable child of `npm run dev`, which keeps the engines and holds the data
 * directory's lock. The parent kills it after 'closed': a process with a debugger attached does not exit by itself.
 */
await launch(async ({ closers }) => {
  // The engines end with the parent, so nothing can be closed in order any more.
  process.on('disconnect', () => process.exit(1));
  closers.push(() => tell('closed'));
  const settings = readSettings(process.env);
  const { urls } = await new Promise<StartMessage>((resolve) => process.once('message', resolve));
  const logger = createLogger({ service: 'pulso', level: settings.logLevel, pretty: process.stdout.isTTY });
  const tracing = await traceProcess('pulso', settings.tracing, logger);
  closers.push(async () => tracing?.stop());
  const data = await openDataDirectory(settings.dataDirectory);
  // Vite serves the pages.
  await startPulso({ settings, env: process.env, urls, data, logger, closers, staticDirectory: null });
  await tell('ready');
});

function tell(message: ServicesMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send!(message, undefined, undefined, (error) => (error ? reject(error) : resolve()));
  });
}
