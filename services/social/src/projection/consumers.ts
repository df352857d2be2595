import type { EventBus } from '@pulso/platform/events/event-bus';
import { type ProjectionGate, projectionGate } from '@pulso/platform/events/projection-gate';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { userTopic } from '@pulso/contracts/topics/identity';
import type { KnownSubscriptions } from './known-subscriptions.js';
import type { KnownUsers } from './known-users.js';

export interface Projections {
  users: KnownUsers;
  subscriptions: KnownSubscriptions;
}

const GROUP = 'social';

/** Feeds the projections from the bus, which must not have been started. */
export function subscribeProjections(bus: EventBus, { users, subscriptions }: Projections): void {
  bus.subscribe({ group: GROUP, topic: userTopic, handle: (state) => users.apply(state) });
  bus.subscribe({ group: GROUP, topic: subscriptionTopic, handle: (state) => subscriptions.apply(state) });
}

/**
 * What of a caller's earlier writes must have arrived before their call is answered. `projections` is asked at each
 * call: the gate is needed before the module that holds them has booted.
 */
export function socialGate(projections: () => Projections | undefined): ProjectionGate {
  return projectionGate({
    [userTopic.name]: async (id) => projections()?.users.versionOf(id),
    [subscriptionTopic.name]: async (key) => projections()?.subscriptions.versionOf(key),
  });
}
