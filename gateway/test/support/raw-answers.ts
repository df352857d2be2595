import { connect } from 'node:net';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';

/** An answer as it came by the connection. */
export interface RawAnswer {
  status: number;
  headers: ReadonlyMap<string, string>;
  body: string;
}

/** The answers of a connection, one by one. */
export interface RawReader {
  send(text: string): void;
  /** The next answer to a request with this method; undefined when the connection has ended before it. */
  answer(method: string): Promise<RawAnswer | undefined>;
  /** The bytes beyond the answers that were read, once the connection has ended. */
  rest(): Promise<string>;
}

const HEAD_END = '\r\n\r\n';

/** A connection for bytes that no client library sends; it ends with the test. */
export async function rawReader(url: string): Promise<RawReader> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestEnd(() => socket.destroy());
  let came = '';
  let hasEnded = false;
  socket.on('data', (chunk: Buffer) => (came += chunk.toString('latin1')));
  socket.on('error', () => (hasEnded = true));
  socket.on('close', () => (hasEnded = true));
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  const what = () => `an answer or the end, after ${JSON.stringify(came.slice(0, 300))}`;
  return {
    send: (text) => void socket.write(Buffer.from(text, 'latin1')),
    async answer(method) {
      const read = await until(() => readAnswer(came, method, hasEnded) ?? hasEnded, { what, limit: 20_000 });
      if (read === true) return undefined;
      came = came.slice(read.length);
      return read.answer;
    },
    async rest() {
      await until(() => hasEnded, { what: () => `the end, after ${came.slice(0, 300)}`, limit: 20_000 });
      return came;
    },
  };
}

/** The answer at the beginning of `text`, when all of it is there. */
function readAnswer(
  text: string,
  method: string,
  hasEnded: boolean,
): { answer: RawAnswer; length: number } | undefined {
  const end = text.indexOf(HEAD_END);
  if (end === -1) return undefined;
  const [line = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
  const headers = new Map(
    lines.map((one): [string, string] => {
      const colon = one.indexOf(':');
      return [one.slice(0, colon).toLowerCase(), one.slice(colon + 1).trim()];
    }),
  );
  const start = end + HEAD_END.length;
  const body = bodyOf(text.slice(start), { method, status, headers, hasEnded });
  if (!body) return undefined;
  const decoded = Buffer.from(body.text, 'latin1').toString();
  return { answer: { status, headers, body: decoded }, length: start + body.length };
}

function bodyOf(
  text: string,
  { method, status, headers, hasEnded }: Omit<RawAnswer, 'body'> & { method: string; hasEnded: boolean },
): { text: string; length: number } | undefined {
  if (method === 'HEAD' || status === 204 || status === 304) return { text: '', length: 0 };
  const declared = headers.get('content-length');
  if (declared !== undefined) {
    const length = Number(declared);
    return text.length < length ? undefined : { text: text.slice(0, length), length };
  }
  if (headers.get('transfer-encoding') === 'chunked') return chunked(text);
  return hasEnded ? { text, length: text.length } : undefined;
}

function chunked(text: string): { text: string; length: number } | undefined {
  let [body, at] = ['', 0];
  for (;;) {
    const end = text.indexOf('\r\n', at);
    if (end === -1) return undefined;
    const size = parseInt(text.slice(at, end), 16);
    const next = end + 2 + size + 2;
    if (text.length < next) return undefined;
    body += text.slice(end + 2, end + 2 + size);
    at = next;
    if (size === 0) return { text: body, length: at };
  }
}
