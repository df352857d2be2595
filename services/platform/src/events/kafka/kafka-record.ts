import type { IHeaders, Message } from 'kafkajs';
import type { EventRecord } from '../event-bus.js';
import { REPUBLICATION_HEADER } from '../event-record.js';

const VERSION_HEADER = 'pulso-version';

/** The part of a kafkajs record that is read here. */
export interface ReceivedRecord {
  key: Buffer | null;
  value: Buffer | null;
  headers?: IHeaders;
}

/** The record of an event: CloudEvents in binary mode, so attributes and `traceparent` are headers. */
export function toMessage({ key, version, payload, headers, partition }: EventRecord): Message {
  return {
    key,
    value: Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength),
    headers: { ...headers, [VERSION_HEADER]: `${version}` },
    ...(partition === undefined ? {} : { partition }),
  };
}

/** The event of a record, which may be foreign (see `assertOurs`). `at` is the event's id if the record has none. */
export function fromRecord(topic: string, at: string, record: ReceivedRecord): EventRecord {
  const { [VERSION_HEADER]: version, ...headers } = textHeaders(record.headers);
  return {
    id: headers.ce_id ?? at,
    topic,
    key: record.key?.toString() ?? '',
    version: version === undefined ? NaN : Number(version),
    payload: record.value ?? new Uint8Array(),
    headers,
    republished: headers[REPUBLICATION_HEADER] !== undefined,
  };
}

/** Throws for records that were not written by our bus: without a version no consumer can be idempotent. */
export function assertOurs(event: EventRecord): void {
  if (!Number.isSafeInteger(event.version)) throw new Error(`${event.id} is not an event: it has no version`);
}

export function textHeaders(headers: IHeaders = {}): Record<string, string> {
  const present = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [name, String(value)]));
}
