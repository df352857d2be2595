import type { IncomingMessage } from 'node:http';

/** A path of no route. */
const NOWHERE = '/-/nowhere';
const ORIGIN = /^https?:\/\/[^/?#]+/i;

/** `originalUrl` is the client's own target, where another path is routed. */
export type TargetedRequest = IncomingMessage & { originalUrl?: string };

/**
 * Gives a request a path, before the router and all others look for one: an absolute form (RFC 9112, 3.2.2) has one, and a
 * target without one, such as `*`, leads nowhere.
 */
export function readTarget(request: TargetedRequest): void {
  const { url = '' } = request;
  if (url.startsWith('/')) return;
  const path = pathOfAbsolute(url);
  if (path === undefined) leadNowhere(request);
  else request.url = path;
}

/** No route takes it then: it goes the way of all requests that none takes, and not one past the hooks and limits. */
export function leadNowhere(request: TargetedRequest): void {
  request.originalUrl = request.url;
  request.url = NOWHERE;
}

function pathOfAbsolute(url: string): string | undefined {
  const origin = ORIGIN.exec(url)?.[0];
  if (origin === undefined || !URL.canParse(origin)) return undefined;
  const rest = url.slice(origin.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
