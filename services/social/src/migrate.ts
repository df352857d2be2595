import 'reflect-metadata';
import { DataSource } from 'typeorm';
import type { SocialConfig } from './config.js';
import { dataSourceOptions } from './database/data-source.js';

/** Brings social's database to this version's schema; safe to repeat. Never part of the service's own boot. */
export async function migrateSocial(config: Pick<SocialConfig, 'SOCIAL_DATABASE_URL'>): Promise<void> {
  const options = dataSourceOptions({ ...config, SOCIAL_DATABASE_POOL: 1 });
  // A migration may take longer than a request.
  const dataSource = await new DataSource({ ...options, extra: {} }).initialize();
  try {
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await dataSource.destroy();
  }
}
