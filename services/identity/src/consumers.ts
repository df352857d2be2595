import type { EventBus } from '@pulso/platform/events/event-bus';
import { type ProjectionGate, projectionGate } from '@pulso/platform/events/projection-gate';
import { blockTopic, userSuspensionTopic } from '@pulso/contracts/topics/social';
import type { KnownBlocks } from './directory/known-blocks.js';
import type { ApplySuspension } from './moderation/apply-suspension.js';

/** What identity makes of other services' events. */
export interface Consumers {
  blocks: KnownBlocks;
  suspensions: ApplySuspension;
}

const GROUP = 'identity';

/** Subscribes on a bus that has not been started; `published` is called after a suspension, which is a user's event. */
export function subscribeConsumers(
  bus: EventBus,
  { blocks, suspensions }: Consumers,
  published: () => void,
): void {
  bus.subscribe({ group: GROUP, topic: blockTopic, handle: (state) => blocks.apply(state) });
  bus.subscribe({
    group: GROUP,
    topic: userSuspensionTopic,
    async handle(state) {
      await suspensions.execute(state);
      published();
    },
  });
}

/**
 * What of a caller's earlier writes must have arrived before their call is answered. `consumers` is asked at each
 * call: the gate is needed before the module that holds them has booted.
 */
export function identityGate(consumers: () => Consumers | undefined): ProjectionGate {
  return projectionGate({
    [blockTopic.name]: async (key) => consumers()?.blocks.versionOf(key),
    [userSuspensionTopic.name]: async (userId) => consumers()?.suspensions.versionOf(userId),
  });
}
