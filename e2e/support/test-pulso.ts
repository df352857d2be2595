import type { ServiceName } from '@pulso/contracts/rpc';
import type { Databases } from '@pulso/embedded/databases';
import type { Secrets } from '@pulso/embedded/launcher/data-directory';
import type { EventRecord } from '@pulso/platform/events/event-bus';
import { ApiClient } from './api-client.js';

/**
 * What a service waits for its caller's earlier writes: more than in production, because suites share the machine, and
 * less than the 5 s of a call.
 */
export const WAITS = { READ_WAIT_MS: '3000', WRITE_WAIT_MS: '4500' };

/** Limits of the product's processes that a machine under load would reach, although nothing is wrong. */
export const LIMITS = { ...WAITS, MAX_EVENT_LOOP_DELAY_MS: '0', STOP_DEADLINE_MS: '60000' };

/** How long `drainEvents` waits unless told otherwise. */
export const DRAIN_MS = 60_000;

/** A whole Pulso that runs somewhere: what a journey needs, which stops nothing. */
export interface RunningPulso {
  url: string;
  /** Where each process shows its metrics. */
  operationsUrls: readonly string[];
  secrets: Pick<Secrets, 'mediaUrl' | 'signingKeys'>;
  /** Where its mails can be read (`mailsOf` in inbox.ts), if they leave it. */
  inboxUrl?: string;
  /** Resolves when nothing is left to publish or to deliver; rejects after `timeoutMs` (60 s). */
  drainEvents(timeoutMs?: number): Promise<void>;
  /** Republishes every state of a service's entities, as the operators' command does. */
  republish(service: ServiceName, ...entities: string[]): Promise<void>;
  /** Runs a command that only this service has to its end, and returns its lines; when it fails, rejects with the reason. */
  operate(service: ServiceName, name: string, ...words: string[]): Promise<string>;
  /** Ends what the test has started. */
  close(): Promise<void>;
}

/** A whole Pulso on its own databases, in either profile, of which `close` removes the data. */
export interface PulsoUnderTest extends RunningPulso {
  secrets: Secrets;
  /** Publishes events in place of a service that isn't built yet. */
  publish(events: readonly EventRecord[]): Promise<void>;
  /** Runs `during` while a service is down, then brings the service back. */
  without(service: ServiceName, during: () => Promise<void>): Promise<void>;
  /** Makes all further calls to a service fail; the others continue. */
  stop(service: ServiceName): Promise<void>;
  databases: Databases;
  /** The names of all stored objects. */
  objects(): Promise<string[]>;
}

/** What journeys have that use nothing but the API: they also run against a Pulso that others use, and again. */
export interface PulsoByApi extends Pick<RunningPulso, 'url' | 'drainEvents'> {
  /** A new client without a session. */
  visitor(): ApiClient;
  /** A new client signed up as `username`, or under a name that begins so: see `ApiClient.username`. */
  user(username: string, fields?: Record<string, unknown>): Promise<ApiClient>;
}

export type TestPulso = PulsoUnderTest & PulsoByApi;
/** What the other journeys get. */
export type JourneyPulso = RunningPulso & PulsoByApi;

export function withClients<T extends RunningPulso>(pulso: T): T & PulsoByApi {
  const visitor = () => new ApiClient(pulso.url);
  return { ...pulso, visitor, user: (username, fields) => visitor().signUp(username, fields) };
}

/** The URL of an engine that the suites' global set-up, or `npm run test:engines`, has started. */
export function engine(
  name: `PULSO_TEST_${'POSTGRES_URL' | 'MONGODB_URL' | 'KAFKA_BROKERS' | 'REDIS_URL' | 'S3_URL'}`,
): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: the suites' set-up starts the engines.`);
  return value;
}
