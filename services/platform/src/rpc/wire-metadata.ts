import { z } from 'zod';
import type { ConsistencyToken } from '../context/request-context.js';

/**
 * Headers of a call or of its answer. Over HTTP, characters that are not printable ASCII arrive as `?`, except in headers
 * whose name ends in `-bin`.
 */
export type WireMetadata = Readonly<Record<string, string>>;

export const NO_METADATA: WireMetadata = Object.freeze({});

export const REQUEST_ID = 'x-request-id';
export const AUTHORIZATION = 'authorization';
export const TRACEPARENT = 'traceparent';
/** The consistency tokens that the caller must see; in the response, those of its writes. */
export const AFTER = 'pulso-after-bin';
export const WROTE = 'pulso-wrote-bin';
/** Set in the response of a read that lacks some of the caller's tokens. */
export const STALE = 'pulso-stale';
/** Kind, code, message and details of a DomainError. */
export const ERROR = 'pulso-error-bin';

const tokensSchema = z.array(z.object({ topic: z.string(), key: z.string(), version: z.number() }));

export function encodeTokens(tokens: readonly ConsistencyToken[]): string {
  return JSON.stringify(tokens);
}

/** Throws if the text was not made by `encodeTokens`. */
export function decodeTokens(text: string | undefined): ConsistencyToken[] {
  return text === undefined ? [] : tokensSchema.parse(JSON.parse(text));
}
