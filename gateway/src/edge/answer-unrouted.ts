import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../auth/authenticate.js';
import { sendProblem } from '../errors/send-problem.js';
import type { StaticFiles } from '../http/pages/static-files.js';
import { frontendPath, isApiPath, noRouteProblem, routedPath } from '../http/pages/no-route.js';
import type { Preview } from '../link-preview/link-previews.js';
import { headHtml } from '../link-preview/page-head.js';
import { arrive, type Done, type EdgeOptions, refuseOverload } from './edge-options.js';

/** Beside the routes: the previews that are being read. */
const PREVIEWS = 'previews';

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
    if (kind === 'page') return answerPage(routedPath(request), request, reply, staticFiles, options);
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

/**
 * The frontend's page with its preview (HTTP-27). A preview costs calls of services, so that it is inside of guard,
 * limits and places; whoever is over them gets the page without it, and is not refused.
 */
function answerPage(
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
  staticFiles: StaticFiles,
  { previews, guard, limits, concurrency }: EdgeOptions,
): void {
  const send = (preview: Preview) => {
    const answer =
      typeof preview === 'object' ? { head: headHtml(preview.head) } : { missing: preview === 'missing' };
    staticFiles.sendPage(path, request, reply, answer);
  };
  const preview = previews.of(path, staticFiles);
  if (typeof preview !== 'function') return send(preview);
  if (guard.overloaded) return send('none');
  arrive(request, limits, (limited) => {
    if (limited || !concurrency.enter(PREVIEWS)) return send('none');
    // Until the services have answered: a client that leaves does not end their work.
    void preview(request.id).then((found) => {
      concurrency.leave(PREVIEWS);
      send(found);
    });
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
