import type { ServiceName } from '@pulso/contracts/rpc';
import { entityOf } from '@pulso/contracts/topics/topic';
import { SERVICES } from './services.js';

/** One thing to do after a restore: a command of a service, or to wait until a consumer group has no event left. */
export type RestoreStep =
  | { service: ServiceName; command: readonly string[] }
  | { service: ServiceName; awaits: string };

/** What each service projects of others: the states that it has missed between the backup and now come by these. */
export const TAKES: Readonly<Record<ServiceName, Partial<Record<ServiceName, readonly string[]>>>> = {
  identity: {
    social: ['block', 'user-suspension', 'user-figures', 'erasure'],
    billing: ['price', 'subscription', 'erasure'],
    media: ['erasure'],
    messaging: ['erasure'],
    posts: ['erasure'],
  },
  social: { identity: ['user', 'erasure'], billing: ['subscription'] },
  posts: {
    identity: ['user', 'erasure'],
    social: ['follow', 'block', 'hidden-post', 'hidden-comment'],
    billing: ['subscription', 'price'],
    media: ['video'],
  },
  media: { identity: ['user', 'erasure'], social: ['hidden-post'], posts: ['post'] },
  billing: { identity: ['user', 'price-intent', 'erasure'], social: ['block'] },
  messaging: { identity: ['user', 'contact', 'erasure'], social: ['block'] },
};

/**
 * What brings all services into line after the database of one was restored to an earlier moment, in this order. Billing's steps are those of
 * docs/operations/tasks/billing.md, media's those of media.md.
 */
export function stepsAfterRestore(service: ServiceName): RestoreStep[] {
  const taken = Object.entries(TAKES[service]).map(([owner, entities]): RestoreStep => ({
    service: owner as ServiceName,
    command: ['republish', ...entities],
  }));
  // Others forget by these what the service has forgotten.
  const owned = SERVICES[service].owns.map(entityOf);
  const given: RestoreStep[] = owned.length > 0 ? [{ service, command: ['republish', ...owned] }] : [];
  return [
    ...(AT_THE_START[service] ?? []),
    ...taken,
    ...(BEFORE_GIVING[service] ?? []),
    ...given,
    ...(AT_THE_END[service] ?? []),
  ];
}

const takeErasures = (hours: number): RestoreStep => ({
  service: 'identity',
  command: ['take-erasures', '--hours', String(hours), '--reason', 'restore'],
});

/** What allows the rest. */
const AT_THE_START: Partial<Record<ServiceName, readonly RestoreStep[]>> = {
  identity: [takeErasures(24)],
};

/** Corrects what is published next, or has it from those who still know. */
const BEFORE_GIVING: Partial<Record<ServiceName, readonly RestoreStep[]>> = {
  // Others know which accounts are erased, and refuse what identity would tell of them as they were.
  identity: [
    ...['billing', 'media', 'messaging', 'posts', 'social'].map((by): RestoreStep => {
      return { service: 'identity', awaits: `identity.erased-by-${by}` };
    }),
    takeErasures(0),
  ],
  billing: [
    { service: 'identity', command: ['intend-prices'] },
    { service: 'billing', awaits: 'billing.price-intent' },
  ],
  social: [{ service: 'social', command: ['recount-figures'] }],
};

const AT_THE_END: Partial<Record<ServiceName, readonly RestoreStep[]>> = {
  billing: [{ service: 'billing', command: ['recount'] }],
  media: [{ service: 'media', command: ['reconcile'] }],
};
