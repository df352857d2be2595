import type { Topic } from '@pulso/contracts/topics/topic';
import type { EntityManager } from 'typeorm';
import { stageEvents } from '../src/postgres/postgres-outbox.js';

/** Like `stageEvents`, for one state. */
export const stageEvent = <T>(manager: EntityManager, topic: Topic<T>, state: T): Promise<void> =>
  stageEvents(manager, topic, [state]);
