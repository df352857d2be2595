import pg from 'pg';
import { pino } from 'pino';
import { loadConfig } from '../../../src/process/load-config.js';
import { KafkaBus } from '../../../src/events/kafka/kafka-bus.js';
import { kafkaConfigSchema } from '../../../src/events/kafka/kafka-config.js';
import { countingProjection } from './counting-projection.js';
import { SOON_DEAD } from './group-limits.js';

// Argument: database URL; Kafka's settings come from the environment. Handles events until it has done the effect of
// the key `last`, reports it, and waits to be killed without returning from the handler.
const pool = new pg.Pool({ connectionString: process.argv[2] });
const config = loadConfig(kafkaConfigSchema, process.env);
const bus = new KafkaBus({ config, logger: pino({ level: 'silent' }), limits: SOON_DEAD });
bus.subscribe(
  countingProjection(pool, async (id) => {
    if (id !== 'last') return;
    process.stdout.write('handled\n');
    await new Promise(() => undefined);
  }),
);
await bus.start();
