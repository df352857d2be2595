import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '@pulso/platform/logging/logger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../auth/authenticate.js';
import type { OverloadRefusal } from '../http/guards/refuse-overload.js';
import type { Connections } from '../http/guards/connections.js';
import type { Drain } from '../http/guards/drain.js';
import type { EventLoopGuard } from '../http/guards/event-loop-guard.js';
import type { GuestPages } from '../guest-pages/guest-pages.js';
import type { PageHeads } from '../guest-pages/page-heads.js';
import type { HttpMetrics } from '../http/guards/http-metrics.js';
import type { EventStreams } from '../http/kinds/event-streams.js';
import type { ProxyNotice } from '../http/guards/proxy-notice.js';
import type { RouteTable } from '../http/route-table.js';
import type { StaticFiles } from '../http/pages/static-files.js';
import type { RouteConcurrency } from '../http/guards/route-concurrency.js';
import type { UnreadAnswers } from '../http/guards/unread-answers.js';
import type { PulsoAfter } from '../pulso-after/pulso-after.js';
import type { RequestContextHook } from './request-context-hook.js';
import type { RequestLimits } from './request-limits.js';

export interface EdgeOptions {
  headers: Readonly<Record<string, string>>;
  routes: RouteTable;
  guard: EventLoopGuard;
  streams: EventStreams;
  concurrency: RouteConcurrency;
  overload: OverloadRefusal;
  drain: Drain;
  limits: RequestLimits;
  authenticator: Authenticator;
  context: RequestContextHook;
  pulsoAfter: PulsoAfter;
  staticFiles: StaticFiles | null;
  heads: PageHeads;
  /** None where nothing renders pages. */
  guestPages: GuestPages | null;
  metrics: HttpMetrics | undefined;
  connections: Pick<Connections, 'isCrowded'>;
  unread: UnreadAnswers;
  /** None where proxies are trusted. */
  proxyNotice: ProxyNotice | undefined;
  logger: Logger;
}

export type Done = (error?: Error) => void;

/** Stays synchronous with a store in memory. */
export function arrive(request: FastifyRequest, limits: RequestLimits, done: Done): void {
  try {
    const arrived = limits.arrive(request);
    if (arrived) arrived.then(() => done(), done);
    else done();
  } catch (error) {
    done(error as Error);
  }
}

export function refuseOverload(request: FastifyRequest, reply: FastifyReply, options: EdgeOptions): void {
  reply.hijack();
  sendRefusal(request.raw, reply.raw, request.id, options);
}

export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  options: EdgeOptions,
): void {
  options.metrics?.refused();
  options.overload.refuse(request, response, id, isLeaving(options) ? 'close' : undefined);
}

export interface AnswerRecord {
  requestId: string;
  method: string;
  /** The pattern, not the URL: query strings and ids are personal and do not belong in a log. */
  route: string;
  status: number;
  milliseconds: number;
}

export function logAnswer(logger: Logger, answer: AnswerRecord): void {
  if (logger.isLevelEnabled('info')) logger.info(answer, 'answered');
}

/** Whether clients are to leave their connections: for another gateway, or because there are too many. */
export const isLeaving = ({ drain, connections }: EdgeOptions) => drain.isOn || connections.isCrowded;
