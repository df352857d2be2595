import type { FastifyReply, FastifyRequest } from 'fastify';
import { isMember } from '../auth/refresh-cookie.js';
import { sendProblem } from '../errors/send-problem.js';
import type { Preview } from '../guest-pages/link-previews.js';
import { headHtml } from '../guest-pages/page-head.js';
import { type PageSubject, subjectOf } from '../guest-pages/page-subject.js';
import type { GuestPage } from '../guest-pages/shared-page.js';
import type { Visitor } from '../guest-pages/visitor-calls.js';
import { routedPath, sentTarget } from '../http/pages/no-route.js';
import type { StaticFiles } from '../http/pages/static-files.js';
import { arrive, type EdgeOptions } from './edge-options.js';

/** Beside the routes: the previews that are being read. */
const PREVIEWS = 'previews';
/** Of the client, for the calls of its page. */
const HANDED_ON = ['x-forwarded-for', 'traceparent'] as const;

/**
 * The frontend's page: rendered for guests (HTTP-38), else plain with its preview (HTTP-27). Both cost calls of services, so
 * that they are inside of guard, limits and places; whoever is over them gets the page without, and is not refused.
 */
export function answerPage(
  request: FastifyRequest,
  reply: FastifyReply,
  staticFiles: StaticFiles,
  options: EdgeOptions,
): void {
  const path = routedPath(request);
  const subject = subjectOf(path, staticFiles);
  if (typeof subject === 'string') {
    // Nobody finds by a search what asks for a login. What is missing is no page.
    if (subject === 'private') reply.header('x-robots-tag', 'noindex');
    return staticFiles.sendPage(path, request, reply, {
      missing: subject === 'missing',
      audience: 'everybody',
    });
  }
  const page = new GuestsPage(path, subject, { request, reply, staticFiles, options });
  page.answer();
}

interface Asked {
  request: FastifyRequest;
  reply: FastifyReply;
  staticFiles: StaticFiles;
  options: EdgeOptions;
}

/** A page that guests are shown, as one client has asked for it. */
class GuestsPage {
  private readonly isMember: boolean;

  constructor(
    private readonly path: string,
    private readonly subject: PageSubject,
    private readonly asked: Asked,
  ) {
    this.isMember = isMember(asked.request);
  }

  answer(): void {
    const { request, reply, options } = this.asked;
    const { previews, guard, limits } = options;
    const guestPages = this.isMember || guard.overloaded || guard.strained ? null : options.guestPages;
    const url = sentTarget(request);
    // What is there costs no more than a file.
    const shared = guestPages?.find(url);
    if (shared) return this.sendWhenMade(shared.for(reply));
    const preview = previews.of(this.subject);
    if (!guestPages && typeof preview !== 'function') return this.sendPlain(preview);
    if (guard.overloaded) return this.sendPlain('none');
    arrive(request, limits, (limited) => {
      if (limited) return this.sendPlain(typeof preview === 'function' ? 'none' : preview);
      // Limits may have been counted elsewhere, and another client may have begun the page meanwhile.
      const begun = guestPages?.find(url) ?? guestPages?.begin(this.subject, url, this.visitor());
      if (begun) return this.sendWhenMade(begun.for(reply));
      if (typeof preview === 'function') this.sendPreview(preview);
      else this.sendPlain(preview);
    });
  }

  private sendPreview(read: (requestId: string) => Promise<Preview>): void {
    const { request, options } = this.asked;
    const { concurrency } = options;
    if (!concurrency.enter(PREVIEWS)) return this.sendPlain('none');
    // Until the services have answered: a client that leaves does not end their work.
    void read(request.id).then((found) => {
      concurrency.leave(PREVIEWS);
      this.sendPlain(found);
    });
  }

  private sendWhenMade(made: Promise<GuestPage>): void {
    const { request, reply, staticFiles } = this.asked;
    void made
      .then((page) => {
        if (typeof page === 'string' || 'head' in page) return this.sendPlain(page);
        return staticFiles.sendDocument(this.path, request, reply, page.document);
      })
      .catch((error: unknown) => sendProblem(error, request, reply));
  }

  private sendPlain(preview: Preview): void {
    const { request, reply, staticFiles } = this.asked;
    const audience = 'guests';
    if (typeof preview === 'string') {
      return staticFiles.sendPage(this.path, request, reply, { missing: preview === 'missing', audience });
    }
    const { head } = preview;
    // Members are no search engines.
    const parts = { head: headHtml(head), facts: this.isMember ? undefined : head.facts };
    staticFiles.sendPage(this.path, request, reply, { parts, audience });
  }

  private visitor(): Visitor {
    const { request } = this.asked;
    const headers: Record<string, string> = { host: request.host, 'x-request-id': request.id };
    for (const name of HANDED_ON) {
      const value = request.headers[name];
      if (typeof value === 'string') headers[name] = value;
    }
    return { headers, remoteAddress: request.raw.socket.remoteAddress };
  }
}
