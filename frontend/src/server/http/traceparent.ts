/**
 * A W3C `traceparent` that starts a trace, so that the spans of a request can be found by the header that the browser sent
 * (docs/operations/alerts.md, "Traces").
 */
export function newTraceparent(): string {
  return `00-${randomHex(16)}-${randomHex(8)}-01`;
}

function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
