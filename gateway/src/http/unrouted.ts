import { notFound } from '@pulso/platform/errors/domain-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem } from '../errors/http-problem.js';
import { sendProblem } from '../errors/send-problem.js';
import type { StaticFiles } from './static-files.js';
import { isRead } from './endpoint.js';
import type { RouteTable } from './route-table.js';

interface Unrouted {
  routes: RouteTable;
  staticFiles: StaticFiles | null;
}

/** A request without a route: 404 or 405 under /api and /media, elsewhere a file of the frontend or its page. */
export function answerUnrouted(request: FastifyRequest, reply: FastifyReply, unrouted: Unrouted): void {
  const path = pathOf(request.url);
  const isPage = !/^\/(api|media)(\/|$)/.test(path);
  if (isPage && unrouted.staticFiles && isRead(request.method) && request.method !== 'OPTIONS') {
    if (unrouted.staticFiles.send(path, request, reply)) return;
  }
  reply.header('cache-control', 'private, no-cache');
  const allowed = isPage && unrouted.staticFiles ? ['GET', 'HEAD'] : unrouted.routes.methodsOf(path);
  // The path allows this method, so its id is malformed: 404, not 405.
  if (allowed.length === 0 || allowed.includes(request.method))
    return sendProblem(notFound(), request, reply);
  const allow = allowed.join(', ');
  sendProblem(new HttpProblem('method-not-allowed', `Allowed here: ${allow}.`, { allow }), request, reply);
}

function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}
