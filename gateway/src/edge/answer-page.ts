import type { FastifyReply, FastifyRequest } from 'fastify';
import { isMember } from '../auth/refresh-cookie.js';
import { sendProblem } from '../errors/send-problem.js';
import type { GuestPages } from '../guest-pages/guest-pages.js';
import { isLaterPart, laterPart } from '../guest-pages/later-part.js';
import { headHtml } from '../guest-pages/page-head.js';
import type { Told } from '../guest-pages/page-heads.js';
import { oneAddress, type PageSubject, subjectOf } from '../guest-pages/page-subject.js';
import type { GuestPage } from '../guest-pages/shared-page.js';
import type { Visitor } from '../guest-pages/visitor-calls.js';
import { routedPath, sentParts, sentTarget } from '../http/pages/no-route.js';
import type { StaticFiles } from '../http/pages/static-files.js';
import { arrive, type EdgeOptions } from './edge-options.js';

/** Beside the routes: the pages of which the services are being asked. */
const HEADS = 'page heads';
/** Of the client, for the calls of its page. */
const HANDED_ON = ['x-forwarded-for', 'traceparent'] as const;

/**
 * The frontend's page: rendered for guests (HTTP-38), else plain with what it says of itself (HTTP-27). Both cost calls of services, so
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
  const address = oneAddress(path, subject);
  if (address !== undefined && address !== sentParts(request).path)
    return redirect({ request, reply }, 'for good', address);
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

/** A browser keeps one for good as long as it is told: a day, so that no mistake stays for ever. */
const REDIRECTS = {
  'for good': { status: 301, caching: 'public, max-age=86400' },
  // The name may be somebody else's tomorrow (PEOPLE-9).
  'for now': { status: 302, caching: 'public, no-cache' },
} as const;

/** Leads to another page of the site, with the query that was sent. `path` is one that the gateway has made. */
function redirect(
  { request, reply }: Pick<Asked, 'request' | 'reply'>,
  how: keyof typeof REDIRECTS,
  path: string,
): void {
  const { status, caching } = REDIRECTS[how];
  const { query } = sentParts(request);
  void reply
    .code(status)
    .headers({ location: path + query, 'cache-control': caching })
    .send();
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
  private readonly isLaterPart: boolean;

  constructor(
    private readonly path: string,
    private readonly subject: PageSubject,
    private readonly asked: Asked,
  ) {
    this.isMember = isMember(asked.request);
    this.isLaterPart = isLaterPart(sentParts(asked.request).query);
  }

  answer(): void {
    const { request, reply, options } = this.asked;
    const { heads, guard, limits } = options;
    // Its address changes with the list (HTTP-42).
    if (this.isLaterPart) reply.header('x-robots-tag', 'noindex');
    const guestPages = this.guestPages();
    const url = sentTarget(request);
    // What is there costs no more than a file.
    const shared = guestPages?.find(url);
    if (shared) return this.sendWhenMade(shared.for(reply));
    const told = heads.of(this.subject);
    if (!guestPages && typeof told !== 'function') return this.sendTold(told);
    if (guard.overloaded) return this.sendTold('nothing');
    arrive(request, limits, (limited) => {
      if (limited) return this.sendTold(typeof told === 'function' ? 'nothing' : told);
      // Limits may have been counted elsewhere, and another client may have begun the page meanwhile.
      const begun = guestPages?.find(url) ?? guestPages?.begin(this.subject, url, this.visitor());
      if (begun) return this.sendWhenMade(begun.for(reply));
      if (typeof told === 'function') this.ask(told);
      else this.sendTold(told);
    });
  }

  /** What renders this page; null for a plain one. */
  private guestPages(): GuestPages | null {
    const { guard, guestPages } = this.asked.options;
    if (this.isMember) return null;
    if (!guard.strained) return guestPages;
    guestPages?.countStrained();
    return null;
  }

  private ask(read: (requestId: string) => Promise<Told>): void {
    const { request, options } = this.asked;
    const { concurrency } = options;
    if (!concurrency.enter(HEADS)) return this.sendTold('nothing');
    // Until the services have answered: a client that leaves does not end their work.
    void read(request.id).then((found) => {
      concurrency.leave(HEADS);
      this.sendTold(found);
    });
  }

  private sendWhenMade(made: Promise<GuestPage>): void {
    const { request, reply, staticFiles } = this.asked;
    void made
      .then((page) => {
        if (typeof page === 'string' || !('document' in page)) return this.sendTold(page);
        return staticFiles.sendDocument(this.path, request, reply, page.document);
      })
      .catch((error: unknown) => sendProblem(error, request, reply));
  }

  /** The plain page with what is told of it, or where it has moved to. */
  private sendTold(told: Told): void {
    const { request, reply, staticFiles } = this.asked;
    const audience = 'guests';
    if (typeof told === 'string') {
      return staticFiles.sendPage(this.path, request, reply, { missing: told === 'missing', audience });
    }
    if ('movedTo' in told) return redirect(this.asked, 'for now', told.movedTo);
    const head = this.isLaterPart ? laterPart(told.head) : told.head;
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
