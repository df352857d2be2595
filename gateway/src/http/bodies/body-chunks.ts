import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Headers, refuseConnection } from '../guards/refused-connection.js';
import { reset } from '../guards/reset.js';

/** How many chunks a body may have whatever its size, and the bytes that allow one more (LIMIT-8). */
const CHUNKS = { always: 256, bytesEach: 256 } as const;

/**
 * Ends requests whose bodies come in many tiny chunks: each chunk costs the same time and memory, however small. This is
 * the one place for all bodies, also those that nobody reads.
 */
export function boundChunks(server: Server, headers: Headers): void {
  server.prependListener('request', (request, response) => {
    // Other bodies come in the pieces of the network, each of which costs the sender a packet.
    if (request.headers['transfer-encoding'] === undefined) return;
    count(request, () => end(request, response, headers));
    response.prependOnceListener('finish', () => {
      if (request.complete) return;
      // Node would now drop the rest of the body where we could not count it.
      request.read();
      request.resume();
    });
  });
}

/** Every chunk passes `push`, before the body's readers; `tooMany` is called once. */
function count(request: IncomingMessage, tooMany: () => void): void {
  const push = request.push.bind(request);
  let [chunks, bytes, isOver] = [0, 0, false];
  request.push = (chunk: Buffer | null, encoding) => {
    if (isOver) return false;
    if (chunk === null) return push(chunk, encoding);
    chunks += 1;
    bytes += chunk.length;
    isOver = chunks > CHUNKS.always + bytes / CHUNKS.bytesEach;
    if (!isOver) return push(chunk, encoding);
    tooMany();
    return false;
  };
}

function end({ socket }: IncomingMessage, response: ServerResponse, headers: Headers): void {
  // What was answered already is not followed by another answer.
  if (response.headersSent) return reset(socket);
  refuseConnection(new Error('The body has too many chunks'), socket, headers);
  // The answer is with the kernel by now; nothing more is read.
  socket.destroy();
}
