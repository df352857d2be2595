import { databaseUrl, type Databases, dropDatabases } from '@pulso/embedded/databases';
import { createLogger } from '@pulso/platform/logging/logger';
import { connectRedis, type Redis } from '@pulso/platform/redis/redis';
import { TestBucket } from '@pulso/platform/testing/s3-bucket';
import mongoose from 'mongoose';

const logger = createLogger({ service: 'journey', level: 'silent' });
/** A Redis that is slow beside other suites is not away. */
const PATIENT_MS = 20_000;
/** A Redis has 16 databases unless it is told otherwise; the suites without a cluster use the first. */
const REDIS_DATABASES = 15;

/**
 * The URL of a database of Redis that no other running cluster uses: the queues, signals and rate limits of two clusters
 * have the same names, so the mails of one would be sent by the other. Suites take the databases in turn, as many as run at
 * once are far fewer.
 */
export async function aRedisDatabase(server: string): Promise<string> {
  const taken = await onRedis(server, (redis) => redis.incr('pulso-suites:databases'));
  const url = databaseUrl(server, `${1 + (taken % REDIS_DATABASES)}`);
  await onRedis(url, (redis) => redis.flushdb());
  return url;
}

/** Removes the databases and the bucket of a cluster that has stopped. @param objectsUrl its `MEDIA_OBJECTS_URL` */
export async function dropStores(
  postgresUrl: string,
  databases: Databases,
  objectsUrl: string,
): Promise<void> {
  const documents = Object.values(databases).filter((url) => /^mongodb/.test(url));
  await Promise.all([
    dropDatabases(postgresUrl, databases),
    ...documents.map(dropDocuments),
    bucketOf(objectsUrl).removeBucket(),
  ]);
}

async function dropDocuments(url: string): Promise<void> {
  const connection = await mongoose.createConnection(url).asPromise();
  try {
    await connection.dropDatabase();
  } finally {
    await connection.close();
  }
}

/** Works on a database of Redis by a connection of its own. */
export async function onRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = await connectRedis(url, logger, PATIENT_MS);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

/** The keys of all objects of a `MEDIA_OBJECTS_URL`. */
export async function objectsOf(objectsUrl: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of bucketOf(objectsUrl).list('')) keys.push(key);
  return keys;
}

/** The bucket of a `MEDIA_OBJECTS_URL`. */
function bucketOf(objectsUrl: string): TestBucket {
  const url = new URL(objectsUrl);
  const bucket = url.pathname.slice(1);
  url.pathname = '/';
  return new TestBucket(url.href, bucket);
}
