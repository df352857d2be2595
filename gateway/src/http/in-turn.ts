import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The newest answer of each connection. */
const answers = new WeakMap<Socket, ServerResponse>();

/**
 * Whether the answer to the connection's earlier request has been sent (LIMIT-11). Node would keep a request that does not wait for it in a
 * queue, and its answer never learns that the client has gone: what it has taken, such as a place of its route, would be
 * lost for ever.
 */
export function isInTurn({ socket }: IncomingMessage, response: ServerResponse): boolean {
  const earlier = answers.get(socket);
  if (earlier && !earlier.writableFinished) return false;
  answers.set(socket, response);
  return true;
}
