import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { HttpProblem } from '../../errors/http-problem.js';
import { PROBLEM_TYPE, problemOf } from '../../errors/problem.js';
import { isAnswering } from './is-pipelined.js';
import { requestIdOf } from '../request-id.js';

export type Headers = Readonly<Record<string, string>>;

const CLIENT_ERRORS: Readonly<Record<string, HttpProblem>> = {
  HPE_HEADER_OVERFLOW: new HttpProblem('headers-too-large'),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpProblem('request-timeout'),
};

/** Answers what Node's parser refuses, which no hook ever sees, if the connection is still open (HTTP-23). */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Duplex, headers: Headers): void {
  // Within an answer that is on its way, another one would be taken for its body.
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket as Socket)) {
    socket.destroy();
    return;
  }
  endWith(CLIENT_ERRORS[error.code ?? ''] ?? new HttpProblem('bad-request'), socket, headers);
}

/** Requests that Node itself would drop (CONNECT) or answer without our headers (`Expect`). */
export function answerWhatNodeWould(server: Server, headers: Headers): void {
  // An empty `Allow` (RFC 9110, 10.2.1): nobody can tunnel through here.
  const noProxy = new HttpProblem('method-not-allowed', 'This server is no proxy.', { allow: '' });
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    endWith(noProxy, socket, headers);
  });
  // RFC 9110, 10.1.1: a server may ignore an expectation that it does not know.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** No `Host` or two, which RFC 9112, 3.2 wants refused: of two, a proxy may have looked at the other one. */
export function hasBadHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1 || (hosts === 0 && httpVersion === '1.1');
}

function endWith(refusal: HttpProblem, socket: Duplex, headers: Headers): void {
  const requestId = requestIdOf({ headers: {} });
  const { problem, headers: own } = problemOf(refusal, requestId);
  const text = JSON.stringify(problem);
  const all = {
    ...headers,
    ...own,
    'x-request-id': requestId,
    'content-type': PROBLEM_TYPE,
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`, ...lines, '', text].join('\r\n'));
}
