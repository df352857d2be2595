import { startNativeEngines } from './native.mjs';

/**
 * `node tools/engines/start.mjs`: starts all engines, prints their addresses as the settings the processes read, and
 * runs until Ctrl-C.
 */
const starting = startNativeEngines();
const end = async () => {
  process.off('SIGINT', end).off('SIGTERM', end);
  await (await starting).stop();
};
process.on('SIGINT', end).on('SIGTERM', end);
const { kafkaBrokers, redisUrl, postgresUrl, mongodbUrl } = await starting;
console.log(`KAFKA_BROKERS=${kafkaBrokers}`);
console.log(`REDIS_URL=${redisUrl}`);
console.log(`POSTGRES_URL=${postgresUrl}`);
console.log(`MONGODB_URL=${mongodbUrl}`);
