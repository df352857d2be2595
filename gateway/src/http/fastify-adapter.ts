import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEM_TYPE, problemOf } from '../errors/problem.js';
import { HttpProblem } from '../errors/http-problem.js';
import { BODY_BYTES } from './endpoint.js';
import { requestIdOf } from './request-id.js';

const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 65_000;
/** Longer than any header that Node lets through: an over-long id is a 404 like any other. */
const MAX_PARAM_LENGTH = 32_768;

export interface AdapterOptions {
  trustedProxies: number;
  /** For what the router refuses before any hook runs: a path that is not properly encoded. */
  answerUnrouted(request: FastifyRequest, reply: FastifyReply): void;
}

export function createAdapter({ trustedProxies, answerUnrouted }: AdapterOptions): FastifyAdapter {
  return new FastifyAdapter({
    // Fastify would make a child logger for each request, which is slow; our log lines have the request's id anyway.
    logger: false,
    bodyLimit: BODY_BYTES.post,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    trustProxy: (_address: string, hop: number) => hop < trustedProxies,
    // While closing, the gateway still answers requests on open connections; Fastify's 503 is no problem document.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestIdHeader: false,
    genReqId: requestIdOf,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    // We use no Express-style middleware; its engine would run for each request.
    skipMiddie: true,
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) =>
      answerUnrouted(request, reply),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket),
  });
}

const CLIENT_ERRORS: Readonly<Record<string, HttpProblem>> = {
  HPE_HEADER_OVERFLOW: new HttpProblem('headers-too-large'),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpProblem('request-timeout'),
};

/** Answers what is not HTTP, if the connection is still open. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = CLIENT_ERRORS[error.code ?? ''] ?? new HttpProblem('bad-request');
  const { problem } = problemOf(refusal, requestIdOf({ headers: {} }));
  const text = JSON.stringify(problem);
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      `content-type: ${PROBLEM_TYPE}`,
      `content-length: ${Buffer.byteLength(text)}`,
      'connection: close',
      '',
      text,
    ].join('\r\n'),
  );
}
