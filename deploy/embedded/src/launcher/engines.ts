import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '@pulso/platform/logging/logger';
import { startDocumentStore } from '../document-store/supervisor.js';
import { startPostgres } from '../postgres/postgres-server.js';
import {
  type DataDirectory,
  createDataDirectory,
  hasData,
  openDataDirectory,
  readJson,
  writeWhole,
} from './data-directory.js';
import { DataDirectoryInUse, lockDataDirectory } from './instance-lock.js';
import { StartError } from './start-error.js';
import { type Closers, progress } from './launch.js';

/** Servers on loopback in which every service has its own database. */
export interface EngineUrls {
  postgres: string;
  documents: string;
}

export interface EngineOptions {
  dataDirectory: string;
  logger: Logger;
  /** Receives the functions that stop the engines, also when the start fails half way. */
  closers: Closers;
  /** Called when an engine has ended for good. */
  onLost: (reason: string) => void;
  /** Receives the current step; prints it unless given. */
  onStep?: (step: string) => void;
}

/** The file with the URLs of the running engines, for commands in other processes; only the owner may read it. */
const urlsFile = (dataDirectory: string) => join(dataDirectory, 'engines.json');

/**
 * Locks the data directory and starts PostgreSQL and the document store on it. Throws StartError with the reason when
 * the directory cannot be used.
 */
export async function startEngines(
  options: EngineOptions,
): Promise<{ urls: EngineUrls; data: DataDirectory }> {
  const { dataDirectory, logger, closers, onLost, onStep = progress } = options;
  createDataDirectory(dataDirectory);
  const lock = lockDataDirectory(dataDirectory);
  closers.push(() => lock.release());
  const forgetUrls = () => rmSync(urlsFile(dataDirectory), { force: true });
  // A killed instance has left its own.
  forgetUrls();
  const data = await openDataDirectory(dataDirectory);
  onStep(data.isNew ? 'Setting up the databases' : 'Starting the databases');
  // Both start in parallel; when one fails the other must still be closed.
  const [postgres, documents] = await Promise.allSettled([
    startPostgres({
      directory: join(data.path, 'postgres'),
      password: data.secrets.postgresPassword,
      onExit: onLost,
    }),
    startDocumentStore({
      directory: join(data.path, 'documents'),
      password: data.secrets.documentStorePassword,
      onExit: (description) => logger.error(description),
      // Ctrl-C tells it and this process at once, so this is no failure.
      onTold: () => process.kill(process.pid, 'SIGTERM'),
    }),
  ]);
  for (const engine of [postgres, documents]) {
    if (engine.status === 'fulfilled') closers.push(() => engine.value.stop());
  }
  if (postgres.status === 'rejected') throw postgres.reason;
  if (documents.status === 'rejected') throw documents.reason;
  const urls = { postgres: postgres.value.url, documents: documents.value.url };
  writeWhole(urlsFile(dataDirectory), urls);
  closers.push(forgetUrls);
  return { urls, data };
}

/**
 * The engines of a data directory: those of the instance that runs there, else started here and stopped by the returned
 * closers. Throws StartError when there is no Pulso in the directory, or when one is just starting.
 */
export async function reachEngines(
  options: Omit<EngineOptions, 'closers'>,
): Promise<{ urls: EngineUrls; data: DataDirectory; running: boolean; closers: Closers }> {
  const { dataDirectory } = options;
  if (!hasData(dataDirectory))
    throw new StartError(`PULSO_DATA_DIR: no Pulso has been started in ${dataDirectory}.`);
  const closers: Closers = [];
  try {
    return { ...(await startEngines({ ...options, closers })), running: false, closers };
  } catch (error) {
    for (const close of closers.splice(0).reverse()) await close();
    if (!(error instanceof DataDirectoryInUse)) throw error;
    const urls = readJson<EngineUrls>(urlsFile(dataDirectory));
    if (!urls) throw new StartError(`PULSO_DATA_DIR: the instance in ${dataDirectory} is just starting.`);
    return { urls, data: await openDataDirectory(dataDirectory), running: true, closers };
  }
}
