/**
 * A W3C `traceparent` that begins a trace: with it the gateway's spans, and all that the request sets off behind it, can
 * be found by what the browser has sent (docs/operations.md, "Traces").
 */
export function newTraceparent(): string {
  return `00-${randomHex(16)}-${randomHex(8)}-01`;
}

function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
