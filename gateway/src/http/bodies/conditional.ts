import { createHash } from 'node:crypto';
import { viewerId } from '@pulso/platform/context/request-context';
import type { FastifyReply, FastifyRequest } from 'fastify';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Answers `body` with an ETag over it and the viewer, or 304 when `If-None-Match` has it (HTTP-20, HTTP-21). Weak, since the
 * bytes on the way may be compressed. Returns what the handler is to return.
 */
export function conditional(request: FastifyRequest, reply: FastifyReply, body: unknown): string | undefined {
  // By the route's own serializer, where it has a compiled one.
  const json = reply.serialize(body) as string;
  return conditionalJson(request, reply, { json, etag: etagOf(json, viewerId() ?? '') });
}

/** The same, of an answer that is there as text. */
export function conditionalJson(
  request: FastifyRequest,
  reply: FastifyReply,
  { json, etag }: { json: string; etag: string },
): string | undefined {
  reply.header('etag', etag);
  if (hasTag(request.headers['if-none-match'], etag)) {
    reply.code(304);
    return undefined;
  }
  reply.header('content-type', JSON_TYPE);
  return json;
}

export function etagOf(content: string, viewer = ''): string {
  return `W/"${createHash('sha1').update(viewer).update('\n').update(content).digest('base64url')}"`;
}

/** RFC 9110, 13.1.2: weak comparison, a list, or `*`. */
export function hasTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  // As a client sends it that has one answer.
  if (ifNoneMatch === etag) return true;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
}
