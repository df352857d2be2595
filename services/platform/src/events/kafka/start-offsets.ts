import type { Logger } from 'pino';
import type { Consumer } from '../event-bus.js';
import { saySkipped } from '../skipped-history.js';
import type { KafkaAdmin } from './kafka-admin.js';

/** Where each partition of a group's reactions begins, by `<topic>/<partition>`; 0 for those that are not named. */
export type StartOffsets = ReadonlyMap<string, number>;

/**
 * A reaction begins at the end that its topic has when the group starts for the first time. That end is stored before any
 * event is read: so a crash at any moment, and the loss of the group's offsets, let it miss nothing that came later.
 * `consumers` by the topic's name on the brokers.
 */
export async function startOffsets(
  admin: Pick<KafkaAdmin, 'positions'>,
  groupId: string,
  consumers: ReadonlyMap<string, Consumer<unknown>>,
  logger: Logger,
): Promise<StartOffsets> {
  const starts = new Map<string, number>();
  for (const [topic, consumer] of consumers) {
    if (!consumer.reaction || !consumer.keepStart) continue;
    const positions = await admin.positions(groupId, topic);
    // Only a group that has committed nothing can be new.
    const isNew = positions.every(({ committed }) => committed === undefined);
    const kept = await consumer.keepStart(positions.map(({ end }) => (isNew ? end : 0)));
    if (isNew && kept.isNew) {
      const skipped = positions.reduce((sum, { first, end }) => sum + end - first, 0);
      saySkipped(logger, { group: consumer.group, topic: consumer.topic.name, skipped });
    }
    for (const [partition, { end, committed }] of positions.entries()) {
      const start = kept.offsets[partition] ?? 0;
      // A start behind the end is that of a topic which has been removed and made again since.
      if (committed === undefined && start <= end) starts.set(`${topic}/${partition}`, start);
    }
  }
  return starts;
}
