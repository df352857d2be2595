import type { Secrets } from '@pulso/embedded/launcher/data-directory';
import type { EventRecord } from '@pulso/platform/events/event-bus';
import { ApiClient } from './api-client.js';

/** URLs of the services' own stores. */
export interface Databases {
  identity: string;
  social: string;
  posts: string;
}

/** A whole Pulso on databases of its own, whichever way it runs. */
export interface PulsoUnderTest {
  url: string;
  secrets: Secrets;
  /** Publishes in the place of an owner that isn't built yet. */
  publish(events: readonly EventRecord[]): Promise<void>;
  /** Resolves when nothing is left to publish or to deliver; rejects after `timeoutMs` (10 s). */
  drainEvents(timeoutMs?: number): Promise<void>;
  /** Runs `during` while social is down, and brings it back. */
  withoutSocial(during: () => Promise<void>): Promise<void>;
  /** Ends social's calls for good; the others go on. */
  stopSocial(): Promise<void>;
  /** The operator's command: a service publishes every state of a noun again. */
  republish(service: keyof Databases, noun: string): Promise<void>;
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
