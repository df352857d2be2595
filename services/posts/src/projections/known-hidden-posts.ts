import { Injectable } from '@nestjs/common';
import type { HiddenPostState } from '@pulso/contracts/social/v1/events';
import { hiddenPostTopic } from '@pulso/contracts/topics/social';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { ChangeTails } from '@pulso/platform/mongo/change-tails';
import { ProjectedRows } from '@pulso/platform/mongo/projected-rows';
import { Rebuilds } from '@pulso/platform/mongo/rebuilds';
import { PostRepository } from '../store/post.repository.js';
import { type HiddenPostRow, HiddenPostRows } from './hidden-post.schema.js';

const DECISIONS_AT_ONCE = 1_000;

type Decision = Pick<HiddenPostRow, 'authorId' | 'hidden' | 'version'>;

/**
 * The posts that moderators have hidden, all of them in memory: every page checks every post on it, and there are
 * few. A hidden post is visible only to its author, who may edit or delete it; for everyone else it does not exist.
 */
@Injectable()
export class KnownHiddenPosts extends ProjectedRows<HiddenPostState, HiddenPostRow> {
  readonly topic = hiddenPostTopic;
  private decisions = new Decisions();
  /**
   * The decisions that running reloads are collecting. A change may arrive after its row was read and before the
   * reload ends.
   */
  private readonly gathering = new Set<Decisions>();

  constructor(
    rows: HiddenPostRows,
    rebuilds: Rebuilds,
    tails: ChangeTails,
    private readonly posts: PostRepository,
  ) {
    super(rows, rebuilds);
    tails.watch<HiddenPostRow>(rows, {
      fields: ['authorId', 'hidden', 'version'],
      apply: (changed) => this.refresh(changed),
    });
  }

  isHidden(postId: string): boolean {
    return this.decisions.isHidden(postId);
  }

  /** The hidden posts of these authors. */
  byAuthors(authorIds: readonly string[]): string[] {
    return authorIds.flatMap((authorId) => [...this.decisions.hiddenOf(authorId)]);
  }

  /** Applies rows changed recently by any replica. */
  refresh(rows: readonly HiddenPostRow[]): void {
    for (const decisions of [this.decisions, ...this.gathering]) decisions.refresh(rows);
  }

  /** Throws for a malformed id. */
  protected async fieldsOf({ postId, hidden, reason, decidedAt }: HiddenPostState) {
    if (!isId(postId)) throw new Error(`not a post id: ${postId}`);
    const authorId = (await this.posts.findEvenDeleted(postId))?.authorId ?? '';
    return { authorId, hidden, reason, decidedAt: new Date(decidedAt) };
  }

  protected override async written({ postId }: HiddenPostState): Promise<void> {
    const row = await this.rows.findOne({ _id: postId });
    if (!row) return;
    this.refresh([row]);
    await this.posts.storeDecision(postId, row);
  }

  /** Reads every row again: some may be gone, or have older versions than before. */
  async rebuilt(): Promise<void> {
    await this.reload();
    for (const postId of await this.posts.listHidden()) {
      await this.posts.storeDecision(postId, await this.rows.findOne({ _id: postId }));
    }
  }

  private async reload(): Promise<void> {
    const fresh = new Decisions();
    this.gathering.add(fresh);
    try {
      for (let after = ''; ;) {
        const page = await this.rows.find(
          { _id: { $gt: after } },
          { sort: { _id: 1 }, limit: DECISIONS_AT_ONCE },
        );
        fresh.refresh(page);
        if (page.length < DECISIONS_AT_ONCE) break;
        after = page.at(-1)!._id;
      }
      this.decisions = fresh;
    } finally {
      this.gathering.delete(fresh);
    }
  }
}

/** The newest decision on each post, and the hidden posts of each author. */
class Decisions {
  private readonly byPost = new Map<string, Decision>();
  private readonly hiddenByAuthor = new Map<string, Set<string>>();

  isHidden(postId: string): boolean {
    return this.byPost.get(postId)?.hidden ?? false;
  }

  hiddenOf(authorId: string): Iterable<string> {
    return this.hiddenByAuthor.get(authorId) ?? [];
  }

  refresh(rows: readonly HiddenPostRow[]): void {
    for (const { _id, authorId, hidden, version } of rows) {
      if ((this.byPost.get(_id)?.version ?? -1) < version) this.remember(_id, { authorId, hidden, version });
    }
  }

  private remember(postId: string, decision: Decision): void {
    this.byPost.set(postId, decision);
    const { authorId, hidden } = decision;
    const hiddenOnes = this.hiddenByAuthor.get(authorId) ?? new Set();
    if (hidden) hiddenOnes.add(postId);
    else hiddenOnes.delete(postId);
    if (hiddenOnes.size > 0) this.hiddenByAuthor.set(authorId, hiddenOnes);
    else this.hiddenByAuthor.delete(authorId);
  }
}
