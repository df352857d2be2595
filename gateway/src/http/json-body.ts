import { HttpProblem } from '../errors/http-problem.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { BODY_BYTES, endpointOf } from './endpoint.js';

/** Beyond this we hang up on a client that goes on sending; below, it gets to read its 413. */
const MAX_DRAINED_BYTES = 32 * 1024 * 1024;

const tooLarge = (limit: number) =>
  new HttpProblem('payload-too-large', `The body is over ${limit / 1024} KiB.`);

/** RFC 9110, 15.5.16: `Accept-Encoding` says which codings the request may use. */
const compressed = () =>
  new HttpProblem('unsupported-media-type', 'The body must not be compressed.', {
    'accept-encoding': 'identity',
  });

/** A body that is no JSON: told only after the caller has been authenticated, 401 comes before 400. */
export class BrokenJson {}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Registers application/json as the one content type with our order of checks: 413 and 415, 401, 400. */
export function acceptJsonBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const limit = endpointOf(request)?.bodyBytes ?? BODY_BYTES.usual;
      const bytes = await readBody(payload, limit).catch(refuseUnread);
      if (!isUtf8(request.headers['content-type'])) throw new HttpProblem('unsupported-media-type');
      if (isEncoded(request.headers['content-encoding'])) throw compressed();
      return bytes.length === 0 ? undefined : parseJson(bytes);
    },
  );
}

const CHARSET = /;\s*charset\s*=\s*("[^"]*"|[^;\s]*)/gi;

/** JSON is UTF-8 (RFC 8259, 8.1): a body in another charset would be read wrongly. */
function isUtf8(contentType = ''): boolean {
  return [...contentType.matchAll(CHARSET)].every(([, name = '']) => /^"?utf-?8"?$/i.test(name));
}

/** Inflating a small body can take a long time and much memory, so the gateway takes none that is compressed. */
function isEncoded(contentEncoding = 'identity'): boolean {
  return contentEncoding.toLowerCase() !== 'identity';
}

/** A client that hangs up within its body is no error of the gateway. */
function refuseUnread(error: unknown): never {
  throw error instanceof HttpProblem ? error : new HttpProblem('bad-request');
}

async function readBody(payload: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of payload as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_DRAINED_BYTES) break;
    if (length <= limit) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (length > limit) throw tooLarge(limit);
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes)) as unknown;
  } catch {
    return new BrokenJson();
  }
}
