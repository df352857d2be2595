import { notFound } from '@pulso/platform/errors/domain-error';
import type { FastifyRequest } from 'fastify';
import { HttpProblem } from '../errors/http-problem.js';
import type { StaticFiles } from './static-files.js';
import { isRead } from './endpoint.js';
import type { RouteTable } from './route-table.js';

export interface Unrouted {
  routes: RouteTable;
  staticFiles: StaticFiles | null;
}

/** Whether a path is the API's, of which the frontend has no page. */
export function isApiPath(request: FastifyRequest): boolean {
  return /^\/(api|media)([/?#]|$)/.test(request.originalUrl);
}

/** The decoded path of a request that the frontend may answer, with its files or its page (HTTP-26). */
export function frontendPath(request: FastifyRequest): string | undefined {
  if (isApiPath(request) || !isRead(request.method) || request.method === 'OPTIONS') return undefined;
  const path = pathOf(request.originalUrl);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Why a request that no route takes and no page answers is refused: 404 or 405. */
export function unroutedProblem(request: FastifyRequest, { routes, staticFiles }: Unrouted): Error {
  const isPage = staticFiles !== null && !isApiPath(request);
  const routed = routes.methodsOf(pathOf(request.originalUrl));
  const allowed = isPage ? ['GET', 'HEAD', ...routed] : routed;
  // The path allows this method, so its id is malformed: 404, not 405.
  if (allowed.length === 0 || allowed.includes(request.method)) return notFound();
  const allow = allowed.join(', ');
  return new HttpProblem('method-not-allowed', `Allowed here: ${allow}.`, { allow });
}

function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}
