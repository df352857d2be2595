import type { EventRecord } from '../event-bus.js';
import type { Flight } from './flight.js';

/** Identifies a delivery in the store. */
export interface DeliveryRef {
  seq: string;
  group: string;
}

export interface StoredDelivery extends DeliveryRef {
  /** Failures that count towards becoming a dead letter. */
  attempts: number;
  /** All failures since this process claimed the delivery. */
  failures?: number;
  event: EventRecord;
  /** The publication that it belongs to while it has no row. */
  flight?: Flight | undefined;
}

/** A delivery with its event, as PostgreSQL's driver returns it: `version` as text. */
export type DeliveryRow = Omit<EventRecord, 'version'> & DeliveryRef & { attempts: number; version: string };

export function deliveryOf({ seq, group, attempts, version, ...event }: DeliveryRow): StoredDelivery {
  return { seq, group, attempts, event: { ...event, version: Number(version) } };
}
