import 'reflect-metadata';
import { DataSource } from 'typeorm';
import type { IdentityConfig } from './config.js';
import { dataSourceOptions } from './database/data-source.js';

/** Brings identity's database to this version's schema; safe to repeat. Never part of the service's own boot. */
export async function migrateIdentity(config: Pick<IdentityConfig, 'IDENTITY_DATABASE_URL'>): Promise<void> {
  const options = dataSourceOptions({ ...config, IDENTITY_DATABASE_POOL: 1 });
  // A migration may take longer than a request.
  const dataSource = await new DataSource({ ...options, extra: {} }).initialize();
  try {
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await dataSource.destroy();
  }
}
