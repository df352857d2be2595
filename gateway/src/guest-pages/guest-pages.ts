import type { Logger } from '@pulso/platform/logging/logger';
import { counter } from '@pulso/platform/telemetry/metrics';
import type { Registry } from '../http/guards/http-metrics.js';
import type { Post } from '../posts/post.dto.js';
import type { Profile } from '../profiles/profile.dto.js';
import type { Routing } from '../http/in-process-call.js';
import type { PageAbout } from './page-about.js';
import { isLaterPart, laterPart } from './later-part.js';
import { PageDocument } from '../http/pages/page-document.js';
import type { PageHead } from './page-head.js';
import { formerName, type PageSubject, type SubjectOfServices } from './page-subject.js';
import type { RenderedPage, RenderPage } from '../http/pages/render-bundle.js';
import { type GuestPage, SharedPage } from './shared-page.js';
import type { Told } from './page-heads.js';
import { type Visitor, VisitorCalls } from './visitor-calls.js';

export interface GuestPageLimits {
  /** A page that takes longer is sent plain. */
  renderMs: number;
  /** From when a page is begun: others see a write within so long (HTTP-3). */
  keptMs: number;
  /** That are kept, and their bytes. */
  pages: number;
  bytes: number;
  /** Of path and query, where a cursor (HTTP-6) has room; a longer one is sent plain. */
  urlLength: number;
}

const LIMITS: GuestPageLimits = {
  renderMs: 1_000,
  keptMs: 1_000,
  pages: 64,
  bytes: 8 * 1024 * 1024,
  urlLength: 2_560,
};

interface Options {
  renderPage: RenderPage;
  /** At once; a page beyond is sent plain. */
  most: number;
  about: PageAbout;
  /** The whole page. */
  compose(head: PageHead, rendered: RenderedPage): string;
  routing: Routing;
  logger: Logger;
  registry?: Registry;
  limits?: Partial<GuestPageLimits>;
}

/** What came before a page was rendered: it is sent plain with that when nothing more comes. */
interface Progress {
  told: Told;
}

/**
 * The pages that guests are shown, rendered as a visitor sees them (HTTP-38). What is rendered is bounded in number, time and
 * memory (LIMIT-15), and is never needed: what is not rendered is sent plain, and the browser does the rest.
 */
export class GuestPages {
  private readonly limits: GuestPageLimits;
  private readonly pages = new Map<string, SharedPage>();
  private readonly outcomes;
  private underWay = 0;
  private readonly kept = { pages: 0, bytes: 0 };

  constructor(private readonly options: Options) {
    this.limits = { ...LIMITS, ...options.limits };
    this.outcomes =
      options.registry &&
      counter(options.registry, {
        name: 'pulso_guest_pages_total',
        help: 'Pages that guests asked for, by what came of it: rendered, shared, missing, moved, or plain because of the data, busy, failed, late or strained',
        labelNames: ['outcome'],
      });
  }

  /** The page at this path and query, where it is being made or was made within the last second. */
  find(url: string): SharedPage | undefined {
    const found = this.pages.get(url);
    if (found) this.count('shared');
    return found;
  }

  /** A page is sent plain because the event loop is behind (LIMIT-16). */
  countStrained(): void {
    this.count('strained');
  }

  /** Begins to make a page, which asks for its data as `visitor`. Undefined where it is not to be rendered: too many are. */
  begin(subject: PageSubject, url: string, visitor: Visitor): SharedPage | undefined {
    const { most } = this.options;
    const { urlLength, renderMs, keptMs } = this.limits;
    if (this.underWay >= most || url.length > urlLength) {
      this.count('busy');
      return undefined;
    }
    const ending = new AbortController();
    const late = setTimeout(() => ending.abort(new Late()), renderMs);
    const page = this.make(subject, url, visitor, ending.signal).finally(() => clearTimeout(late));
    const shared = new SharedPage(page, () => {
      // Whoever comes now begins anew.
      this.forget(url, shared);
      ending.abort(new Left());
    });
    this.pages.set(url, shared);
    const forgetAt = performance.now() + keptMs;
    void page.then((made) => this.keep(url, shared, made, forgetAt - performance.now()));
    return shared;
  }

  /** Never rejects. */
  private async make(
    subject: PageSubject,
    url: string,
    visitor: Visitor,
    signal: AbortSignal,
  ): Promise<GuestPage> {
    const progress: Progress = { told: 'nothing' };
    const rendered = this.render(subject, url, new VisitorCalls(this.options.routing, visitor, signal), {
      signal,
      progress,
    });
    // A render that does not heed its signal keeps its place for as long as it goes on.
    this.underWay += 1;
    const leave = () => (this.underWay -= 1);
    rendered.then(leave, leave);
    try {
      const page = await Promise.race([rendered, ended(signal)]);
      this.count(outcomeOf(page));
      return page;
    } catch (err) {
      if (err instanceof Left) return progress.told;
      this.count(err instanceof Late ? 'late' : 'failed');
      const requestId = visitor.headers['x-request-id'];
      this.options.logger.warn({ err, requestId }, 'a page was not rendered; it is sent plain');
      return progress.told;
    }
  }

  private async render(
    subject: PageSubject,
    url: string,
    calls: VisitorCalls,
    { signal, progress }: { signal: AbortSignal; progress: Progress },
  ): Promise<GuestPage> {
    // First, since a page of nobody is not rendered; the page asks for the same, and has it then.
    progress.told = await this.askAbout(subject, calls);
    const { told } = progress;
    if (typeof told === 'string' || 'movedTo' in told) return told;
    const head = isLaterPart(queryOf(url)) ? laterPart(told.head) : told.head;
    const fetch = (request: Request) => calls.fetch(request);
    const rendered = await this.options.renderPage({ url, fetch, signal });
    return rendered ? { document: new PageDocument(this.options.compose(head, rendered)) } : told;
  }

  private async askAbout(subject: PageSubject, calls: VisitorCalls): Promise<Told> {
    const { about } = this.options;
    if (subject.page === 'landing' || subject.page === 'directory') {
      const head = about.site(subject.page);
      return head ? { head } : 'nothing';
    }
    const { status, body } = await calls.get(addressOf(subject));
    if (status === 404) return 'missing';
    if (status !== 200) return 'nothing';
    if (subject.page === 'post') return { head: about.post(JSON.parse(body) as Post) };
    const profile = JSON.parse(body) as Profile;
    const moved = subject.page === 'username' ? formerName(subject, profile.username) : undefined;
    if (moved) return moved;
    return subject.page === 'coach' && !profile.isCoach ? 'missing' : { head: about.person(profile) };
  }

  private keep(url: string, shared: SharedPage, page: GuestPage, milliseconds: number): void {
    const bytes = isDocument(page) ? page.document.bytes : 0;
    const { kept, limits } = this;
    const hasRoom = kept.pages < limits.pages && kept.bytes + bytes <= limits.bytes;
    // Addresses of nobody are without number, and what did not come this time may come the next time.
    if (!isDocument(page) || !hasRoom || milliseconds <= 0) return this.forget(url, shared);
    kept.pages += 1;
    kept.bytes += bytes;
    setTimeout(() => {
      kept.pages -= 1;
      kept.bytes -= bytes;
      this.forget(url, shared);
    }, milliseconds).unref();
  }

  private forget(url: string, shared: SharedPage): void {
    if (this.pages.get(url) === shared) this.pages.delete(url);
  }

  private count(outcome: string): void {
    this.outcomes?.inc({ outcome });
  }
}

function outcomeOf(page: GuestPage): string {
  if (isDocument(page)) return 'rendered';
  if (page === 'missing') return 'missing';
  return typeof page === 'object' && 'movedTo' in page ? 'moved' : 'data';
}

const isDocument = (page: GuestPage): page is { document: PageDocument } =>
  typeof page === 'object' && 'document' in page;

class Late extends Error {
  constructor() {
    super('It took too long');
  }
}

class Left extends Error {
  constructor() {
    super('Nobody waits for it');
  }
}

function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

const queryOf = (url: string): string => /\?.*$/s.exec(url)?.[0] ?? '';

/** Where the API tells what a page is about. */
function addressOf(subject: SubjectOfServices): string {
  if (subject.page === 'username') return `/api/users/by-username/${subject.username}`;
  return subject.page === 'post' ? `/api/posts/${subject.id}` : `/api/users/${subject.id}`;
}
