import type { ServiceName } from '@pulso/contracts/rpc';
import type { Databases } from '@pulso/embedded/databases';
import type { Secrets } from '@pulso/embedded/launcher/data-directory';
import type { EventRecord } from '@pulso/platform/events/event-bus';
import { ApiClient } from './api-client.js';

/** A whole Pulso on databases of its own, whichever way it runs. */
export interface PulsoUnderTest {
  url: string;
  secrets: Secrets;
  /** Publishes in the place of an owner that isn't built yet. */
  publish(events: readonly EventRecord[]): Promise<void>;
  /** Resolves when nothing is left to publish or to deliver; rejects after `timeoutMs` (10 s). */
  drainEvents(timeoutMs?: number): Promise<void>;
  /** Runs `during` while a service is down, and brings it back. */
  without(service: ServiceName, during: () => Promise<void>): Promise<void>;
  /** Ends a service's calls for good; the others go on. */
  stop(service: ServiceName): Promise<void>;
  /** Publishes every state of a service's entity again, as the operator's command does. */
  republish(service: ServiceName, entity: string): Promise<void>;
  /** Runs a command of a service's operators to its end; rejects with what it printed when it fails. */
  operate(service: ServiceName, ...words: string[]): Promise<string>;
  databases: Databases;
  /** Ends it and removes what it stored. */
  close(): Promise<void>;
}

export interface TestPulso extends PulsoUnderTest {
  /** A new client without a session. */
  visitor(): ApiClient;
  /** A new client signed up as `username`. */
  user(username: string, fields?: Record<string, unknown>): Promise<ApiClient>;
}

export function withClients(pulso: PulsoUnderTest): TestPulso {
  const visitor = () => new ApiClient(pulso.url);
  return { ...pulso, visitor, user: (username, fields) => visitor().signUp(username, fields) };
}

/** An engine that the suites' global set-up, or `npm run test:engines`, has started. */
export function engine(
  name: `PULSO_TEST_${'POSTGRES_URL' | 'MONGODB_URL' | 'KAFKA_BROKERS' | 'REDIS_URL'}`,
): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: the suites' set-up starts the engines.`);
  return value;
}
