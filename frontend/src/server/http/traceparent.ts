import { randomHex } from './random-hex.js';

/**
 * A W3C `traceparent` that starts a trace, so that the spans of a request can be found by the header that the browser sent
 * (docs/operations/alerts.md, "Traces").
 */
export function newTraceparent(): string {
  return `00-${randomHex(16)}-${randomHex(8)}-01`;
}
