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
import { formerName, type PageSubject, type SubjectOfServices } from './page-subject.js';

/** A page waits no longer for what it says of itself. */
const BUDGET_MS = 1_000;

/**
 * What the services tell of a page: what it says of itself, the path of the present username where the page is asked for by a
 * former one (HTTP-41), that what it is about is not there for visitors, or nothing while one of them is down.
 */
export type Told = { head: PageHead } | { movedTo: string } | 'missing' | 'nothing';

interface PageHeadsOptions {
  clients: Pick<GatewayClients, 'identity' | 'posts'>;
  about: PageAbout;
  clock: Clock;
  logger: Logger;
}

/**
 * What pages that are sent plain say of themselves, always as a visitor sees it: a subscribers-only post shows no more than its
 * preview (POST-6). While a service is down a page says nothing, and is never missing. Rendered pages are made of what was read
 * for them.
 */
export class PageHeads {
  constructor(private readonly options: PageHeadsOptions) {}

  /** What is told of the page, or how to ask the services for it. What that returns never rejects. */
  of(subject: PageSubject): Told | ((requestId: string) => Promise<Told>) {
    if (subject.page === 'landing' || subject.page === 'directory') {
      const head = this.options.about.site(subject.page);
      return head ? { head } : 'nothing';
    }
    return (requestId) => this.ask(() => this.read(subject), requestId);
  }

  private async ask(read: () => Promise<Told>, requestId: string): Promise<Told> {
    const { clock, logger } = this.options;
    try {
      return await asVisitor({ clock, budgetMs: BUDGET_MS, requestId }, read);
    } catch (err) {
      if (err instanceof DomainError && err.kind === 'not-found') return 'missing';
      logger.warn({ err, requestId }, 'cannot read what a page is about; it says nothing of itself');
      return 'nothing';
    }
  }

  private async read(subject: SubjectOfServices): Promise<Told> {
    const { clients, about } = this.options;
    if (subject.page === 'username') {
      const user = await clients.identity.getUserByUsername({ username: subject.username });
      return formerName(subject, user.username) ?? this.person(user);
    }
    const { id } = subject;
    if (subject.page === 'post') return { head: about.post(toPost(await clients.posts.getPost({ id }))) };
    const user = await clients.identity.getUser({ id });
    return subject.page === 'coach' && !user.isCoach ? 'missing' : this.person(user);
  }

  /** Without the figures, which other services have. */
  private person(user: User): Told {
    const profile = toProfile(user, { stats: null, relation: null, standing: null });
    return { head: this.options.about.person(profile) };
  }
}
