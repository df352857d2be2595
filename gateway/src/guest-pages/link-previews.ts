import type { User } from '@pulso/contracts/identity/v1/identity';
import { DomainError } from '@pulso/platform/errors/domain-error';
import type { Logger } from '@pulso/platform/logging/logger';
import type { Clock } from '@pulso/platform/time/clock';
import type { GatewayClients } from '../connect-services.js';
import { asVisitor } from '../http/as-visitor.js';
import { toPost } from '../posts/to-post.js';
import { toProfile } from '../profiles/compose-profile.js';
import type { PageAbout } from './page-about.js';
import type { PageHead } from './page-head.js';
import type { PageSubject, SubjectOfServices } from './page-subject.js';

/** A page waits no longer for what it says of itself. */
const BUDGET_MS = 1_000;

/** `missing`: the page of a post or user that is not there for visitors. */
export type Preview = { head: PageHead } | 'missing' | 'none';

interface PreviewOptions {
  clients: Pick<GatewayClients, 'identity' | 'posts'>;
  about: PageAbout;
  clock: Clock;
  logger: Logger;
}

/**
 * What the frontend's pages say to those who show links to them, always as a visitor sees it: a subscribers-only post
 * shows no more than its preview (POST-6). While a service is down a page has no preview, and is never missing. For pages
 * that are not rendered: those are made of what was read for them.
 */
export class LinkPreviews {
  constructor(private readonly options: PreviewOptions) {}

  /** The preview of the page, or how to ask the services for it. What that returns never rejects. */
  of(subject: PageSubject): Preview | ((requestId: string) => Promise<Preview>) {
    if (subject.page === 'landing' || subject.page === 'directory') {
      return { head: this.options.about.site(subject.page) };
    }
    return (requestId) => this.ask(() => this.read(subject), requestId);
  }

  private async ask(read: () => Promise<PageHead | null>, requestId: string): Promise<Preview> {
    const { clock, logger } = this.options;
    try {
      const head = await asVisitor({ clock, budgetMs: BUDGET_MS, requestId }, read);
      return head ? { head } : 'missing';
    } catch (err) {
      if (err instanceof DomainError && err.kind === 'not-found') return 'missing';
      logger.warn({ err, requestId }, 'cannot read what a page is about; it has no preview');
      return 'none';
    }
  }

  /** Null where what the page is about is missing. */
  private async read(subject: SubjectOfServices): Promise<PageHead | null> {
    const { clients, about } = this.options;
    if (subject.page === 'username') {
      return this.person(await clients.identity.getUserByUsername({ username: subject.username }));
    }
    const { id } = subject;
    if (subject.page === 'post') return about.post(toPost(await clients.posts.getPost({ id })));
    const user = await clients.identity.getUser({ id });
    return subject.page === 'coach' && !user.isCoach ? null : this.person(user);
  }

  /** Without the figures, which other services have. */
  private person(user: User): PageHead {
    return this.options.about.person(toProfile(user, { stats: null, relation: null, standing: null }));
  }
}
