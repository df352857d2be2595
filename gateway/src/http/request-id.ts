import type { IncomingMessage } from 'node:http';
import { randomBytes } from 'node:crypto';

const ACCEPTED = /^[A-Za-z0-9_-]{8,64}$/;

// Unique among all processes and restarts, without new random bytes for each request.
const process = randomBytes(9).toString('base64url');
let requests = 0;

/** A proxy's or client's own id when it is harmless to log, else a new one (HTTP-22). */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED.test(given)
    ? given
    : `${process}-${(requests++).toString(36)}`;
}
