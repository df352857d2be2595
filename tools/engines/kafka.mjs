import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import { runOrFail } from '../child-process.mjs';
import { freePorts } from '../free-ports.mjs';
import { EngineProcess } from './engine-process.mjs';
import { jarsOf } from './maven-jars.mjs';

/** One group for each of the three partitions of the consumer offsets, see `serverProperties`. */
const PROBED_GROUPS = ['a', 'b', 'c'];
const COORDINATORS_TIMEOUT_MS = 90_000;

/**
 * A single Kafka broker (KRaft, no ZooKeeper) as a native Java process; needs Java 17 and, the first time, Maven.
 * `directory` takes its files and must exist. Resolves to the process (EngineProcess) with `brokers` (`host:port`).
 */
export async function startKafka(directory) {
  const jars = await jarsOf('Kafka');
  const [port, controllerPort] = await freePorts(2);
  const properties = join(directory, 'server.properties');
  writeFileSync(properties, serverProperties(directory, port, controllerPort));
  const java = (heap, main, ...args) => [
    `-Xmx${heap}`,
    '-XX:+UseSerialGC',
    // It lives for minutes: a start takes 0.6 of the processor time that it takes with the second compiler.
    '-XX:TieredStopAtLevel=1',
    '-cp',
    `${jars}/*`,
    main,
    ...args,
  ];
  const format = ['format', '--config', properties, '--cluster-id', 'pulso-engines-kafka-00', '--standalone'];
  await runOrFail('java', java('128m', 'kafka.tools.StorageTool', ...format));
  const broker = new EngineProcess({
    name: 'Kafka',
    command: 'java',
    args: java('512m', 'kafka.Kafka', properties),
    isReady: (line) => line.includes('Kafka Server started'),
  });
  await broker.start();
  try {
    await untilGroupsAreCoordinated(`127.0.0.1:${port}`);
  } catch (error) {
    await broker.kill();
    throw error;
  }
  return Object.assign(broker, { brokers: `127.0.0.1:${port}` });
}

/**
 * A new broker creates the topic of consumer offsets on the first request about a group, and lets no consumers join
 * until that topic's partitions are loaded, which takes seconds.
 */
async function untilGroupsAreCoordinated(broker) {
  const admin = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING, retry: { retries: 0 } }).admin();
  const deadline = Date.now() + COORDINATORS_TIMEOUT_MS;
  await admin.connect();
  try {
    for (const groupId of PROBED_GROUPS) {
      while (!(await isCoordinated(admin, groupId, deadline))) await delay(50);
    }
  } finally {
    await admin.disconnect();
  }
}

async function isCoordinated(admin, groupId, deadline) {
  try {
    await admin.fetchOffsets({ groupId });
    return true;
  } catch (error) {
    if (Date.now() > deadline) throw error;
    return false;
  }
}

function serverProperties(directory, port, controllerPort) {
  const values = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.bootstrap.servers': `127.0.0.1:${controllerPort}`,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name': 'PLAINTEXT',
    'log.dirs': join(directory, 'kafka'),
    // Topics are created explicitly, so a missing one is an error.
    'auto.create.topics.enable': false,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 3,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'transaction.state.log.num.partitions': 1,
    'group.initial.rebalance.delay.ms': 0,
    // Suites that kill a consumer may ask for a short session, so that the group goes on soon.
    'group.min.session.timeout.ms': 1_000,
    'num.network.threads': 2,
    'num.io.threads': 4,
    'log.cleaner.dedupe.buffer.size': 8_388_608,
  };
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
