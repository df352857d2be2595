import { DomainError } from '@pulso/platform/errors/domain-error';
import type { FastifyRequest } from 'fastify';
import { HttpProblem } from '../../errors/http-problem.js';
import { endpointOf, isRead } from '../endpoint.js';
import { isEncoded } from '../bodies/json-body.js';

/** What the headers say of a form that is on its way. */
export interface FormHeaders {
  contentType: string | undefined;
  /** Undefined for a body in chunks. */
  contentLength: string | undefined;
  isEncoded: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of routes that take an upload, whose body no parser reads; otherwise null. */
    upload: FormHeaders | null;
  }
}

const FORM = /^multipart\/form-data\s*;.*\bboundary=/i;

/** Hides the body of a route of the kind `stream` from the parsers, and keeps what its headers say. */
export function keepUpload(request: FastifyRequest): void {
  if (endpointOf(request)?.kind !== 'stream' || isRead(request.method)) return;
  const { headers } = request;
  request.upload = {
    contentType: headers['content-type'],
    contentLength: headers['content-length'],
    isEncoded: isEncoded(headers['content-encoding']),
  };
  forgetBody(request);
}

/** Throws `file-too-large` before any byte is taken, and `unsupported-media-type`. */
export function checkUpload(request: FastifyRequest): void {
  const { upload } = request;
  const limit = endpointOf(request)?.upload;
  if (!upload || !limit) return;
  if (Number(upload.contentLength ?? 0) > limit.maxBytes) {
    throw new DomainError('file-too-large', limit.tooLarge);
  }
  const { contentType = '', isEncoded: isCoded } = upload;
  const isRight = limit.type === undefined ? FORM.test(contentType) : contentType === limit.type;
  if (isCoded || !isRight) {
    throw new HttpProblem(
      'unsupported-media-type',
      `The body must be ${limit.type ?? 'multipart/form-data'}.`,
    );
  }
}

/** The body is not parsed, whatever its type; Node reads it to its end after the answer. */
export function forgetBody({ headers }: FastifyRequest): void {
  for (const name of ['content-type', 'content-length', 'transfer-encoding']) delete headers[name];
}
