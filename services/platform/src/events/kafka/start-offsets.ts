import type { Logger } from 'pino';
import type { Consumer } from '../event-bus.js';
import { saySkipped } from '../skipped-history.js';
import type { KafkaAdmin, Position } from './kafka-admin.js';

/** Where each partition of a group begins, by `<topic>/<partition>`; 0 for those that are not named. */
export type StartOffsets = ReadonlyMap<string, number>;

export interface StartOffsetsOptions {
  admin: Pick<KafkaAdmin, 'positions'>;
  /** The name on the brokers of the group with this name. */
  idOf(group: string): string;
  /** By the topic's name on the brokers. */
  consumers: ReadonlyMap<string, Consumer<unknown>>;
  logger: Logger;
}

/**
 * A partition that the group has never committed begins where the group stood under a former name. Usually the rollout has
 * copied those positions (`copyFormerOffsets`): this is for a start without it.
 *
 * A reaction begins at the end that its topic has when the group starts for the first time. That end is stored before any
 * event is read: so a crash at any moment, and the loss of the group's offsets, let it miss nothing that came later.
 */
export async function startOffsets({
  admin,
  idOf,
  consumers,
  logger,
}: StartOffsetsOptions): Promise<StartOffsets> {
  const starts = new Map<string, number>();
  for (const [topic, consumer] of consumers) {
    const { group, formerGroups = [] } = consumer;
    const keepStart = consumer.reaction ? consumer.keepStart : undefined;
    if (!keepStart && formerGroups.length === 0) continue;
    const positions = await admin.positions(idOf(group), topic);
    const isBegun = positions.every(({ committed }) => committed !== undefined);
    const former = isBegun ? [] : await formerPositions(admin, topic, formerGroups.map(idOf));
    // Only a group that has committed nothing can be new.
    const isNew = [...positions, ...former].every(({ committed }) => committed === undefined);
    const kept = await keepStart?.(positions.map(({ end }) => (isNew ? end : 0)));
    if (isNew && kept?.isNew) {
      const skipped = positions.reduce((sum, { first, end }) => sum + end - first, 0);
      saySkipped(logger, { group, topic: consumer.topic.name, skipped });
    }
    for (const [partition, { end, committed }] of positions.entries()) {
      const start = former[partition]?.committed ?? kept?.offsets[partition] ?? 0;
      // A start behind the end is that of a topic which has been removed and made again since.
      if (committed === undefined && start <= end) starts.set(`${topic}/${partition}`, start);
    }
  }
  return starts;
}

/** The positions of the latest former group that has any. */
async function formerPositions(
  admin: Pick<KafkaAdmin, 'positions'>,
  topic: string,
  formerIds: readonly string[],
): Promise<readonly Position[]> {
  for (const id of formerIds) {
    const positions = await admin.positions(id, topic);
    if (positions.some(({ committed }) => committed !== undefined)) return positions;
  }
  return [];
}
