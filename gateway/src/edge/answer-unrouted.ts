import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../auth/authenticate.js';
import { sendProblem } from '../errors/send-problem.js';
import { frontendPath, isApiPath, noRouteProblem } from '../http/pages/no-route.js';
import { answerPage } from './answer-page.js';
import { arrive, type Done, type EdgeOptions, refuseOverload } from './edge-options.js';

/**
 * A request that no route takes. The frontend's files and page cost no more than a refusal; all else is inside of guard
 * and limits like a call, and a bad token is told before the path (HTTP-18).
 */
export function answerUnrouted(request: FastifyRequest, reply: FastifyReply, options: EdgeOptions): void {
  const { staticFiles } = options;
  const path = staticFiles ? frontendPath(request) : undefined;
  if (staticFiles && path !== undefined) {
    const kind = staticFiles.kindOf(path);
    if (kind === 'file') return staticFiles.sendFile(path, reply);
    if (kind === 'page') return answerPage(request, reply, staticFiles, options);
  }
  reply.header('cache-control', 'private, no-cache');
  if (options.guard.overloaded) return refuseOverload(request, reply, options);
  arrive(request, options.limits, (limited) => {
    if (limited) return sendProblem(limited, request, reply);
    checkToken(request, options.authenticator, (refused) =>
      sendProblem(refused ?? noRouteProblem(request, options), request, reply),
    );
  });
}

function checkToken(request: FastifyRequest, authenticator: Authenticator, done: Done): void {
  if (!isApiPath(request)) return done();
  try {
    const caller = authenticator.authenticate(request.headers.authorization);
    if (caller instanceof Promise) caller.then(() => done(), done);
    else done();
  } catch (error) {
    done(error as Error);
  }
}
