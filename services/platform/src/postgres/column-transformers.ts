import type { ValueTransformer } from 'typeorm';

/** `timestamptz(3)` in the database, milliseconds since the epoch in code. */
export const milliseconds: ValueTransformer = {
  from: (date: Date | null) => date?.getTime() ?? null,
  to: (time: number | null | undefined) => (typeof time === 'number' ? new Date(time) : time),
};

/** `bigint` in the database; all our values are safe integers. */
export const safeInteger: ValueTransformer = {
  from: (text: string | null) => (text === null ? null : Number(text)),
  to: (value: number | null | undefined) => value,
};
