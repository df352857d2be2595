import { notFound } from '@pulso/platform/errors/domain-error';
import type { FastifyRequest } from 'fastify';
import { HttpProblem } from '../../errors/http-problem.js';
import type { StaticFiles } from './static-files.js';
import { isRead } from '../endpoint.js';
import type { RouteTable } from '../route-table.js';

export interface NoRoute {
  routes: RouteTable;
  staticFiles: StaticFiles | null;
}

/** Whether a path is the API's: the frontend has no page there. */
export function isApiPath(request: FastifyRequest): boolean {
  return isGateways(routedPath(request));
}

/** Whether a path is the API's own, whatever the frontend has. */
export const isGateways = (path: string): boolean => /^\/(api|media)(\/|$)/.test(path);

/** The decoded path of a request that the frontend may answer, with its files or its page (HTTP-26). */
export function frontendPath(request: FastifyRequest): string | undefined {
  if (!isPagePath(request) || !isRead(request.method) || request.method === 'OPTIONS') return undefined;
  return decoded(pathOf(request), decodeURIComponent);
}

/** Why a request that no route takes and no page answers is refused: 404 or 405. */
export function noRouteProblem(request: FastifyRequest, { routes, staticFiles }: NoRoute): Error {
  const isPage = staticFiles !== null && isPagePath(request);
  const routed = routes.methodsOf(routedPath(request));
  const allowed = isPage ? ['GET', 'HEAD', ...routed] : routed;
  // The path allows this method, so its id is malformed: 404, not 405.
  if (allowed.length === 0 || allowed.includes(request.method)) return notFound();
  const allow = allowed.join(', ');
  return new HttpProblem('method-not-allowed', `Allowed here: ${allow}.`, { allow });
}

/** A target that is no path at all, such as `*`, has no page. */
const isPagePath = (request: FastifyRequest) => request.originalUrl.startsWith('/') && !isApiPath(request);

/**
 * The path as the routers of the gateway and of the application see it: decoded, except for encoded separators. `/%2F` is a
 * name, and not `/`.
 */
export const routedPath = (request: FastifyRequest): string => decoded(pathOf(request), decodeURI);

/** Path and query of a request as it was sent. */
export const sentTarget = ({ originalUrl }: FastifyRequest): string => originalUrl.replace(/#.*$/s, '');

/** Path and query of a request as they were sent; the query begins with its question mark, or is empty. */
export function sentParts(request: FastifyRequest): { path: string; query: string } {
  const path = pathOf(request);
  return { path, query: sentTarget(request).slice(path.length) };
}

function pathOf({ originalUrl }: FastifyRequest): string {
  const end = originalUrl.search(/[?#]/);
  return end === -1 ? originalUrl : originalUrl.slice(0, end);
}

function decoded(path: string, decode: (path: string) => string): string {
  try {
    return decode(path);
  } catch {
    return path;
  }
}
