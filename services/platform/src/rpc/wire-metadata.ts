import { z } from 'zod';
import type { ConsistencyToken } from '../context/request-context.js';

/** Headers of a call or of its answer. Over gRPC what is not printable ASCII arrives as `?`, but under names in `-bin`. */
export type WireMetadata = Readonly<Record<string, string>>;

export const NO_METADATA: WireMetadata = Object.freeze({});

export const REQUEST_ID = 'x-request-id';
export const AUTHORIZATION = 'authorization';
export const TRACEPARENT = 'traceparent';
/** Write marks the caller must see; in the answer, those it made. */
export const AFTER = 'pulso-after-bin';
export const WROTE = 'pulso-wrote-bin';
/** Kind, code, message and details of a DomainError. */
export const ERROR = 'pulso-error-bin';

const marksSchema = z.array(z.object({ topic: z.string(), key: z.string(), version: z.number() }));

export function encodeTokens(marks: readonly ConsistencyToken[]): string {
  return JSON.stringify(marks);
}

/** Throws when it isn't what `encodeTokens` made. */
export function decodeTokens(text: string | undefined): ConsistencyToken[] {
  return text === undefined ? [] : marksSchema.parse(JSON.parse(text));
}
