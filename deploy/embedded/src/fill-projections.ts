import { SERVICE_NAMES, type ServiceName } from '@pulso/contracts/rpc';
import { entityOf } from '@pulso/contracts/topics/topic';
import type { InProcessBus } from '@pulso/platform/events/in-process/in-process-bus';
import type { Logger } from '@pulso/platform/logging/logger';
import type { RunningService } from '@pulso/platform/service/start-service';
import { SERVICES } from '@pulso/registry/services';

/**
 * Publishes the states again that projections need which this version of Pulso has and the one before had not: the bus
 * keeps events for 7 days only. Does nothing when there is no such projection. What a kill interrupts, the next start
 * does again. A topic that no service owns yet waits for its owner.
 */
export async function fillNewProjections(
  bus: InProcessBus,
  services: Readonly<Record<ServiceName, Pick<RunningService, 'republish'>>>,
  logger: Logger,
): Promise<void> {
  for (const topic of await bus.unfilledTopics()) {
    for (const name of SERVICE_NAMES) {
      const owned = SERVICES[name].owns.find((candidate) => candidate.name === topic);
      if (!owned) continue;
      const states = await services[name].republish(entityOf(owned));
      if (states > 0) logger.info({ topic, states }, 'published states again for a new projection');
      await bus.markFilled(topic);
    }
  }
}
