import { notAuthenticated } from '@pulso/platform/errors/domain-error';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { HttpProblem } from '../../errors/http-problem.js';
import { addressOf } from '../../rate-limit/address-key.js';
import type { BodyMemory, BodyShare } from './body-memory.js';
import { BODY_BYTES, endpointOf, MAX_DRAINED_BYTES } from '../endpoint.js';
import { hasTooManyValues } from './json-values.js';

const tooLarge = (limit: number) =>
  new HttpProblem('payload-too-large', `The body is over ${limit / 1024} KiB.`);

/** RFC 9110, 15.5.16: `Accept-Encoding` says which codings the request may use. */
const compressed = () =>
  new HttpProblem('unsupported-media-type', 'The body must not be compressed.', {
    'accept-encoding': 'identity',
  });

/** A body that is no JSON. It is refused only after authentication: 401 comes before 400. */
export class BrokenJson {}

/** A body that is not parsed because it has too many values. It is refused only after authentication, too. */
export class TooManyValues {}

/** JSON is in UTF-8 (HTTP-1). */
const decoder = new TextDecoder('utf-8', { fatal: true });

export interface BodyOptions {
  /** The caller, or null; throws or rejects with user-token-expired. */
  authenticator: { authenticate(authorization: string | undefined): unknown };
  memory: BodyMemory;
}

/** The type that the body of a route with `rawBody` gets, so that its parser takes it. */
export const RAW_BODY = 'application/x-raw';

/**
 * Registers application/json as the one content type of clients with our order of checks: 413 and 415, 401, 400; and the
 * parser of raw bodies.
 */
export function acceptBodies(fastify: FastifyInstance, { authenticator, memory }: BodyOptions): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(RAW_BODY, async (request: FastifyRequest, payload: IncomingMessage) => {
    const { rawBody, bodyBytes: limit = BODY_BYTES.usual } = endpointOf(request) ?? {};
    if (!rawBody) throw new HttpProblem('unsupported-media-type');
    const share = memory.open(addressOf(request), limit);
    try {
      const body = await readBody(payload, limit, share);
      if (body.bytes > limit) throw tooLarge(limit);
      if (isEncoded(request.headers['content-encoding'])) throw compressed();
      if (body.noRoom) throw body.noRoom;
      return Buffer.from(share.bytes);
    } finally {
      share.giveBack();
    }
  });
  fastify.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const limit = endpointOf(request)?.bodyBytes ?? BODY_BYTES.usual;
      const refused = await refusalOf(request, authenticator);
      const share = memory.open(addressOf(request), limit);
      try {
        const body = await readBody(payload, limit, refused ? undefined : share);
        if (body.bytes > limit) throw tooLarge(limit);
        if (!isUtf8(request.headers['content-type'])) throw new HttpProblem('unsupported-media-type');
        if (isEncoded(request.headers['content-encoding'])) throw compressed();
        const refusal = refused ?? body.noRoom;
        if (refusal) throw refusal;
        return body.bytes === 0 ? undefined : parseJson(share.bytes);
      } finally {
        share.giveBack();
      }
    },
  );
}

/** Why the call will be refused whatever its body is: of such a body the bytes are counted, and none is kept. */
async function refusalOf(
  request: FastifyRequest,
  authenticator: BodyOptions['authenticator'],
): Promise<Error | undefined> {
  try {
    const caller = await authenticator.authenticate(request.headers.authorization);
    return caller === null && endpointOf(request)?.access === 'private' ? notAuthenticated() : undefined;
  } catch (error) {
    return error as Error;
  }
}

const CHARSET = /;\s*charset\s*=\s*("[^"]*"|[^;\s]*)/gi;

/** JSON is UTF-8 (RFC 8259, 8.1): a body in another charset would be read wrongly. */
function isUtf8(contentType = ''): boolean {
  return [...contentType.matchAll(CHARSET)].every(([, name = '']) => /^"?utf-?8"?$/i.test(name));
}

/** Inflating a small body can take a long time and much memory, so the gateway takes none that is compressed. */
export function isEncoded(contentEncoding = 'identity'): boolean {
  return contentEncoding.toLowerCase() !== 'identity';
}

interface Body {
  bytes: number;
  /** There was no memory for it. */
  noRoom?: Error;
}

/** Keeps what is within the limit and fits into `share`; reads and drops the rest, so that the client sees its answer. */
async function readBody(
  payload: IncomingMessage,
  limit: number,
  share: BodyShare | undefined,
): Promise<Body> {
  const body: Body = { bytes: 0 };
  let room = share;
  const drop = () => {
    room?.giveBack();
    room = undefined;
  };
  // Iterating would take a turn of the event loop for each piece.
  payload.on('data', (piece: Buffer) => {
    body.bytes += piece.length;
    if (body.bytes > MAX_DRAINED_BYTES) payload.destroy();
    if (body.bytes > limit) drop();
    try {
      room?.keep(piece);
    } catch (error) {
      body.noRoom = error as Error;
      drop();
    }
  });
  try {
    await finished(payload, { writable: false });
    return body;
  } catch {
    // A client that hangs up within its body is no error of the gateway.
    throw new HttpProblem('bad-request');
  }
}

function parseJson(bytes: Buffer): unknown {
  if (hasTooManyValues(bytes)) return new TooManyValues();
  try {
    return JSON.parse(decoder.decode(bytes)) as unknown;
  } catch {
    return new BrokenJson();
  }
}
