import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf } from '../http/request-id.js';
import { type EdgeOptions, logAnswer, sendRefusal } from './edge-options.js';

const STATUS = 503;

/** Whether the guard is asked here, and not by the hooks: pages and files ask it only where a route takes them. */
export const isCall = ({ url }: IncomingMessage): boolean => url?.startsWith('/api/') ?? false;

/**
 * Refuses a call that comes while the event loop is too far behind (LIMIT-5), and tells whether it did. The router and the
 * hooks would cost as much as half of an answer, and what refusals cost is taken from those who are served.
 */
export function refuseBeforeRouting(
  request: IncomingMessage,
  response: ServerResponse,
  options: EdgeOptions,
): boolean {
  if (!isCall(request) || options.guard.admit()) return false;
  options.drain.note();
  options.proxyNotice?.look(request);
  const requestId = requestIdOf(request);
  sendRefusal(request, response, requestId, options);
  const { method = '' } = request;
  options.metrics?.answered(method, 'unrouted', STATUS, 0);
  logAnswer(options.logger, { requestId, method, route: 'unrouted', status: STATUS, milliseconds: 0 });
  return true;
}
