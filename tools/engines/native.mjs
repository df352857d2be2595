import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterThisProcess } from './engine-process.mjs';
import { startKafka } from './kafka.mjs';
import { startPostgres } from './postgres.mjs';
import { startRedis } from './redis.mjs';

/**
 * Kafka, Redis, PostgreSQL and the embedded document store, each on a free loopback port with its data in a temporary
 * folder. Needs Java 17, Maven (once), redis-server, PostgreSQL and a built `deploy/embedded`.
 *
 * Answers `{ kafkaBrokers, redisUrl, postgresUrl, mongodbUrl, engines, stop }`. `engines.kafka`, `.redis` and
 * `.postgres` have `stop`, `kill`, `start` and `restart`, on the same port and data, for tests of faults;
 * `engines.documents` has `pid` and comes back by itself when it is killed. `stop` ends all and removes the folder.
 */
export async function startNativeEngines() {
  const folder = mkdtempSync(join(tmpdir(), 'pulso-engines-'));
  // Twice: the first time engines may be ending still, and write.
  const keepFolder = afterThisProcess('for pause in 1 5; do sleep $pause; rm -rf "$1"; done', folder);
  // PostgreSQL of root runs as another account, which must be let in.
  chmodSync(folder, 0o755);
  const place = (name) => {
    const path = join(folder, name);
    mkdirSync(path);
    return path;
  };
  const { startDocumentStore } = await import('../../deploy/embedded/dist/document-store/supervisor.js');
  const started = await Promise.allSettled([
    startKafka(place('kafka')),
    startRedis(place('redis')),
    startPostgres(place('postgres')),
    startDocumentStore({ directory: place('documents'), password: randomUUID() }),
  ]);
  const stop = async () => {
    await Promise.all(started.map(({ value }) => value?.stop()));
    rmSync(folder, { recursive: true, force: true });
    keepFolder();
  };
  const failure = started.find(({ status }) => status === 'rejected');
  if (failure) {
    await stop();
    throw failure.reason;
  }
  const [kafka, redis, postgres, documents] = started.map(({ value }) => value);
  return {
    kafkaBrokers: kafka.brokers,
    redisUrl: redis.url,
    postgresUrl: postgres.url,
    mongodbUrl: documents.url,
    engines: { kafka, redis, postgres, documents },
    stop,
  };
}
