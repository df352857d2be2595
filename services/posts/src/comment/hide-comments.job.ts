import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PollingLoop } from '@pulso/platform/jobs/polling-loop';
import { Logger } from '@pulso/platform/logging/logger';
import { Registry } from 'prom-client';
import { HiddenAuthors } from '../projections/hidden-authors.js';
import { KnownUsers } from '../projections/known-users.js';
import { UserRows } from '../projections/user.schema.js';
import { CommentRepository } from '../store/comment.repository.js';

const COMMENTS_AT_ONCE = 500;
const CHECK_MS = 10 * 60_000;
/** Ten million comments of authors take less. Authors whose comments were not looked through to the end stay asked for. */
const PASS_LIMIT_MS = 60 * 60_000;

/**
 * Marks the comments of suspended authors, so that the lists of comments skip them in the index (POST-22), and takes the
 * marks away after a reinstatement (PEOPLE-38). A mark only saves reading: what a reader may see is decided by the author's
 * status. A missing mark costs the readers time, a stale one hides a comment until it is gone.
 *
 * What is to be done follows from users and comments alone. Each process looks through the comments of authors who are
 * suspended when it starts, or later, and regularly for marks that are left of authors who are not.
 */
@Injectable()
export class HideComments implements OnApplicationBootstrap, OnModuleDestroy {
  /** Whose comments are to be looked through now. */
  private readonly asked = new Set<string>();
  private readonly loop: PollingLoop;

  constructor(
    private readonly comments: CommentRepository,
    private readonly users: UserRows,
    private readonly hiddenAuthors: HiddenAuthors,
    knownUsers: KnownUsers,
    logger: Logger,
    registry: Registry,
  ) {
    this.loop = new PollingLoop({
      name: 'marking of comments of suspended authors',
      everyMs: CHECK_MS,
      work: (stopping) => this.run(stopping),
      logger,
      ref: false,
      limitMs: PASS_LIMIT_MS,
      registry,
    });
    knownUsers.onHiding((userId) => this.statusChanged(userId));
    hiddenAuthors.onSuspension((userId) => {
      this.asked.add(userId);
      this.loop.nudge();
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
    this.loop.nudge();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** Marks or unmarks the author's first comments at once, and leaves the others to the background. */
  async statusChanged(userId: string): Promise<void> {
    const hidden = await this.isSuspended(userId);
    const next = await this.markPage(userId, hidden, '');
    if (next === undefined && (await this.isSuspended(userId)) === hidden) return;
    this.asked.add(userId);
    this.loop.nudge();
  }

  private async run(stopping: AbortSignal): Promise<void> {
    for (const userId of this.asked) {
      await this.markAll(userId, stopping);
      if (stopping.aborted) return;
      this.asked.delete(userId);
    }
    for (let author = await this.comments.nextMarkedAuthor(''); author !== undefined;) {
      if (stopping.aborted) return;
      if (!this.hiddenAuthors.isSuspended(author)) await this.markAll(author, stopping);
      author = await this.comments.nextMarkedAuthor(author);
    }
  }

  /** Looks through all comments of an author, again when the author's status has changed meanwhile. */
  private async markAll(userId: string, stopping: AbortSignal): Promise<void> {
    let hidden: boolean;
    do {
      hidden = await this.isSuspended(userId);
      for (let after: string | undefined = ''; after !== undefined;) {
        if (stopping.aborted) return;
        after = await this.markPage(userId, hidden, after);
      }
    } while ((await this.isSuspended(userId)) !== hidden);
  }

  /** Marks or unmarks the next comments of an author; returns where to go on, undefined at the end. */
  private async markPage(userId: string, hidden: boolean, after: string): Promise<string | undefined> {
    const page = await this.comments.listMarks(userId, after, COMMENTS_AT_ONCE);
    const wrong = page.filter(({ authorHidden = false }) => authorHidden !== hidden).map(({ _id }) => _id);
    if (wrong.length > 0) await this.comments.mark(wrong, hidden);
    return page.length < COMMENTS_AT_ONCE ? undefined : page.at(-1)!._id;
  }

  /** By the store's row: memory may be a moment behind. Comments of deleted users stay in the lists (ACCT-36). */
  private async isSuspended(userId: string): Promise<boolean> {
    const user = await this.users.findOne({ _id: userId }, { projection: { status: 1 } });
    return user?.status === 'suspended';
  }
}
