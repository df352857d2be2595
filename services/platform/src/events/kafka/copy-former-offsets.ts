import type { Admin } from 'kafkajs';
import type { Logger } from 'pino';
import type { Consumer } from '../event-bus.js';
import { createKafka, reachingKafka } from './kafka-client.js';
import type { KafkaConfig } from './kafka-config.js';

/** A consumer group with the names that it had in earlier versions, the latest first. */
export interface RenamedOnTopic extends Required<Pick<Consumer<unknown>, 'group' | 'formerGroups'>> {
  topic: string;
}

type OffsetsAdmin = Pick<Admin, 'fetchOffsets' | 'setOffsets' | 'describeGroups'>;

/**
 * Commits for each group that has committed nothing on its topic what its latest former group has committed there, so that it
 * does not get all retained events again. Former groups may be running: they go on, and what they handle from now on is
 * handled again under the new name. Safe to repeat. Resolves to one line per group that was given a position, or was
 * running already and begins by itself where its former group stood (`startOffsets`). The topics must exist.
 */
export async function copyFormerOffsets(options: {
  config: KafkaConfig;
  logger: Logger;
  renamed: readonly RenamedOnTopic[];
}): Promise<string[]> {
  const { config, logger, renamed } = options;
  if (renamed.length === 0) return [];
  const admin = createKafka(config, logger).admin();
  await reachingKafka(config, () => admin.connect());
  try {
    const lines: string[] = [];
    for (const each of renamed) lines.push(...(await copyOffsets(admin, each, config.KAFKA_PREFIX)));
    return lines;
  } finally {
    await admin.disconnect();
  }
}

/** The work of `copyFormerOffsets` for one group. */
export async function copyOffsets(
  admin: OffsetsAdmin,
  { group, topic, formerGroups }: RenamedOnTopic,
  prefix: string,
): Promise<string[]> {
  const [groupId, topicName] = [prefix + group, prefix + topic];
  if ((await committedBy(admin, groupId, topicName)).length > 0) return [];
  for (const former of formerGroups) {
    const partitions = await committedBy(admin, prefix + former, topicName);
    if (partitions.length === 0) continue;
    if (await isRunning(admin, groupId))
      return [`${groupId} is running: it begins on ${topicName} where ${prefix}${former} stood at its start`];
    await admin.setOffsets({ groupId, topic: topicName, partitions });
    return [`${groupId} begins on ${topicName} where ${prefix}${former} stands`];
  }
  return [];
}

async function committedBy(admin: OffsetsAdmin, groupId: string, topic: string) {
  const answers = await admin.fetchOffsets({ groupId, topics: [topic] });
  return answers
    .flatMap(({ partitions }) => partitions)
    .filter(({ offset }) => Number(offset) >= 0)
    .map(({ partition, offset }) => ({ partition, offset }));
}

async function isRunning(admin: OffsetsAdmin, groupId: string): Promise<boolean> {
  const { groups } = await admin.describeGroups([groupId]);
  return groups.some(({ members }) => members.length > 0);
}
