import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The newest answer of each connection. */
const answers = new WeakMap<Socket, ServerResponse>();

/**
 * Whether a request came before its predecessor on the connection was answered (LIMIT-11). Node would queue it, and its
 * answer would never learn that the client has gone: what it has taken, such as a place of its route, would be lost for
 * ever. The answer to a request that is not pipelined becomes the connection's newest one.
 */
export function isPipelined({ socket }: IncomingMessage, response: ServerResponse): boolean {
  const earlier = answers.get(socket);
  if (earlier && !earlier.writableFinished) return true;
  answers.set(socket, response);
  return false;
}

/** Whether the connection's answer is on its way, and not all of it has been written yet. */
export function isAnswering(socket: Socket): boolean {
  const answer = answers.get(socket);
  return answer !== undefined && answer.headersSent && !answer.writableEnded;
}

/** Node asks here how the parser is to go on after a request's headers; 2: what follows is another protocol. */
interface Parser {
  onIncoming: unknown;
}

/** Leaves the rest of what has come in one piece, of up to 64 KiB: Node would make 2,300 requests of it, for 100 ms. */
export function parseNoMore(socket: Socket): void {
  const { parser } = socket as { parser?: Parser | null };
  if (parser) parser.onIncoming = () => 2;
}
