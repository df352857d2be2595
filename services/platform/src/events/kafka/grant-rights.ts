import kafkajs, { type AclEntry, type Admin } from 'kafkajs';
import type { Logger } from 'pino';
import { StartError } from '../../process/start-error.js';
import { typeOf } from './create-topics.js';
import { createKafka, reachingKafka } from './kafka-client.js';
import type { KafkaConfig } from './kafka-config.js';
import { deadLetterTopic } from './topic-table.js';
import { READER_GROUP } from './topic-reader.js';

// kafkajs is CommonJS, and Node does not detect these as named exports.
const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;

/** What a service does on the brokers. Names are without Kafka's prefix. */
export interface KafkaUse {
  /** The service's name: that of its user on the brokers, and the first part of the names of its groups. */
  name: string;
  /** Topics. */
  publishes: readonly string[];
  /** Topics. */
  consumes: readonly string[];
  /** Groups whose positions it reads, as they were its own in earlier versions. */
  formerGroups: readonly string[];
}

/**
 * The rights that the service's user needs, and no others. A right to read, write or delete is one to describe, too. Dead letters of what it
 * consumes are read and written: their reader is a group of its own for a moment.
 */
export function rightsOf({ name, publishes, consumes, formerGroups }: KafkaUse, prefix: string): AclEntry[] {
  const { READ, WRITE, DELETE, DESCRIBE } = AclOperationTypes;
  const { TOPIC, GROUP } = AclResourceTypes;
  const { LITERAL, PREFIXED } = ResourcePatternTypes;
  type What = Pick<AclEntry, 'resourceType' | 'resourcePatternType'>;
  const right = (what: What, resourceName: string, operation: number): AclEntry => ({
    ...what,
    resourceName: prefix + resourceName,
    operation,
    principal: `User:${name}`,
    host: '*',
    permissionType: AclPermissionTypes.ALLOW,
  });
  const topic = { resourceType: TOPIC, resourcePatternType: LITERAL };
  const group = { resourceType: GROUP, resourcePatternType: LITERAL };
  const groups = { resourceType: GROUP, resourcePatternType: PREFIXED };
  const letters = consumes.map(deadLetterTopic);
  return [
    ...[...publishes, ...letters].map((each) => right(topic, each, WRITE)),
    ...[...consumes, ...letters].map((each) => right(topic, each, READ)),
    right(groups, `${name}.`, READ),
    ...[READ, DELETE].map((operation) => right(groups, READER_GROUP, operation)),
    ...formerGroups.map((each) => right(group, each, DESCRIBE)),
  ];
}

/**
 * Gives the users of these services their rights, `User:<service>` each. Safe to repeat. It takes no right away: during a rollout the version
 * before needs its own. Resolves to one line per service. Rejects with a StartError if no broker can be used, or if the brokers know no
 * rights.
 */
export async function grantRights(options: {
  config: KafkaConfig;
  logger: Logger;
  uses: readonly KafkaUse[];
}): Promise<string[]> {
  const { config, logger, uses } = options;
  const admin = createKafka(config, logger).admin();
  await reachingKafka(config, () => admin.connect());
  try {
    const lines: string[] = [];
    for (const use of uses) lines.push(await grant(admin, use, config.KAFKA_PREFIX));
    return lines;
  } finally {
    await admin.disconnect();
  }
}

/** The work of `grantRights` for one service. */
export async function grant(
  admin: Pick<Admin, 'createAcls'>,
  use: KafkaUse,
  prefix: string,
): Promise<string> {
  const acl = rightsOf(use, prefix);
  try {
    await admin.createAcls({ acl });
  } catch (error) {
    if (typeOf(error) !== 'SECURITY_DISABLED') throw error;
    throw new StartError(
      'KAFKA_BROKERS: the brokers there have no authorizer, so nobody can be given rights',
    );
  }
  return `User:${use.name} has ${acl.length} rights`;
}
