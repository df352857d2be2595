import { join } from 'node:path';
import type { Logger } from '@pulso/platform/logging/logger';
import { startDocumentStore } from '../document-store/supervisor.js';
import { startPostgres } from '../postgres/postgres-server.js';
import { type DataDirectory, createDataDirectory, openDataDirectory } from './data-directory.js';
import { lockDataDirectory } from './instance-lock.js';
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
}

/**
 * Locks the data directory and starts PostgreSQL and the document store on it. Throws StartError with the reason when
 * the directory cannot be used.
 */
export async function startEngines(
  options: EngineOptions,
): Promise<{ urls: EngineUrls; data: DataDirectory }> {
  const { dataDirectory, logger, closers, onLost } = options;
  createDataDirectory(dataDirectory);
  const lock = lockDataDirectory(dataDirectory);
  closers.push(() => lock.release());
  const data = await openDataDirectory(dataDirectory);
  progress(data.isNew ? 'Setting up the databases' : 'Starting the databases');
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
    }),
  ]);
  for (const engine of [postgres, documents]) {
    if (engine.status === 'fulfilled') closers.push(() => engine.value.stop());
  }
  if (postgres.status === 'rejected') throw postgres.reason;
  if (documents.status === 'rejected') throw documents.reason;
  return { urls: { postgres: postgres.value.url, documents: documents.value.url }, data };
}
