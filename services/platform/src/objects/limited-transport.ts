import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';

export interface TransportLimits {
  /** How long a request may wait until it has a connection, TLS included. */
  connectMs: number;
  /** Idle timeout: no bytes in either direction while a response is pending. */
  silenceMs: number;
  /** How many connections there may be at once; further requests wait for one. */
  connections: number;
}

export interface Transport {
  request: typeof http.request;
  agent: http.Agent;
}

/** Other sides close idle connections after some seconds; one that is closed while a request goes out fails it. */
const IDLE_MS = 4_000;
/**
 * For these, `retryHttpCodes` of the client, it only looks at the status. A body that nobody reads would keep the connection.
 */
const UNREAD = new Set([408, 429, 499, 500, 502, 503, 504, 520]);

/**
 * Node's HTTP with limits: a request whose other side is silent for too long fails with a TransportTimeout. A reader that takes
 * nothing for a while is not the other side's fault, and its response waits.
 */
export function limitedTransport(useTls: boolean, limits: TransportLimits): Transport {
  const base = useTls ? https : http;
  const agent = new base.Agent({ keepAlive: true, maxSockets: limits.connections, timeout: IDLE_MS });
  const connected = new WeakSet<Socket>();
  /** Calls `then` once the connection can be used: at once where an earlier request has used it. */
  const whenConnected = (socket: Socket, then: () => void) => {
    if (connected.has(socket)) return then();
    socket.once(useTls ? 'secureConnect' : 'connect', () => {
      connected.add(socket);
      then();
    });
  };
  const request = (options: https.RequestOptions, answered?: (response: http.IncomingMessage) => void) =>
    limit(base.request(options, answered), whenConnected, limits);
  return { agent, request: request as typeof http.request };
}

export class TransportTimeout extends Error {
  override readonly name = 'TransportTimeout';
}

function limit(
  request: http.ClientRequest,
  whenConnected: (socket: Socket, then: () => void) => void,
  { connectMs, silenceMs }: TransportLimits,
): http.ClientRequest {
  let response: http.IncomingMessage | undefined;
  const waiting = setTimeout(() => {
    const error = new TransportTimeout(`no connection within ${connectMs} ms`);
    request.destroy(error);
    // Node itself tells it of a request that is queued only when its turn comes.
    if (!request.socket) request.emit('error', error);
  }, connectMs);
  const onConnected = () => clearTimeout(waiting);
  request.once('close', onConnected).once('response', (answer) => {
    response = answer;
    if (UNREAD.has(answer.statusCode!)) answer.resume();
  });
  request.once('socket', (socket) => {
    whenConnected(socket, onConnected);
    const onSilence = () => {
      // What has arrived waits for its reader.
      if (response && response.readableLength > 0) return void socket.setTimeout(silenceMs);
      (response ?? request).destroy(new TransportTimeout(`no answer within ${silenceMs} ms`));
      // An answer that has ended before the body was taken does not end it.
      socket.destroy();
    };
    // The socket's own event: the request's comes only once.
    socket.setTimeout(silenceMs).on('timeout', onSilence);
    request.once('close', () => socket.off('timeout', onSilence));
  });
  return request;
}
