import * as http from 'node:http';
import * as https from 'node:https';

export interface TransportLimits {
  /** How long connecting may take, TLS included. */
  connectMs: number;
  /** How long the other side may send and take nothing while it is waited for. */
  silenceMs: number;
}

export interface Transport {
  request: typeof http.request;
  agent: http.Agent;
}

/** Other sides close idle connections after some seconds; one that is closed while a request goes out fails it. */
const IDLE_MS = 4_000;
const CONNECTIONS = 64;

/**
 * Node's HTTP with limits: a request whose other side is silent for too long fails with a TransportTimeout. A reader that takes
 * nothing for a while is not the other side's fault, and its response waits.
 */
export function limitedTransport(useTls: boolean, limits: TransportLimits): Transport {
  const base = useTls ? https : http;
  const agent = new base.Agent({ keepAlive: true, maxSockets: CONNECTIONS, timeout: IDLE_MS });
  const request = (options: https.RequestOptions, answered?: (response: http.IncomingMessage) => void) =>
    limit(base.request(options, answered), limits);
  return { agent, request: request as typeof http.request };
}

export class TransportTimeout extends Error {
  override readonly name = 'TransportTimeout';
}

function limit(request: http.ClientRequest, { connectMs, silenceMs }: TransportLimits): http.ClientRequest {
  let response: http.IncomingMessage | undefined;
  const connecting = setTimeout(
    () => request.destroy(new TransportTimeout(`no connection within ${connectMs} ms`)),
    connectMs,
  );
  const connected = () => clearTimeout(connecting);
  request.once('response', (answer) => (response = answer)).once('close', connected);
  request.once('socket', (socket) => {
    if (request.reusedSocket) connected();
    else socket.once('secureConnect' in socket ? 'secureConnect' : 'connect', connected);
  });
  const silent = () => {
    // What has arrived waits for its reader.
    if (response && response.readableLength > 0) return void request.setTimeout(silenceMs);
    const error = new TransportTimeout(`no answer within ${silenceMs} ms`);
    if (response) response.destroy(error);
    else request.destroy(error);
  };
  request.setTimeout(silenceMs);
  request.on('timeout', silent);
  return request;
}
