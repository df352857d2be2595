import { Column } from 'typeorm';
import { milliseconds, safeInteger } from './column-transformers.js';

/** A time: `timestamptz(3)` in the database, milliseconds since the epoch in code. */
export const TimeColumn = (name: string): PropertyDecorator =>
  Column({ type: 'timestamptz', name, precision: 3, transformer: milliseconds });

/** A time that may be null. */
export const OptionalTimeColumn = (name: string): PropertyDecorator =>
  Column({ type: 'timestamptz', name, precision: 3, nullable: true, transformer: milliseconds });

/** The version of a row's public state; see `nextVersion`. */
export const VersionColumn = (): PropertyDecorator => Column('bigint', { transformer: safeInteger });
