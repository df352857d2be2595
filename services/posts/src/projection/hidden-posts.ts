import type { HiddenPostState } from '@pulso/contracts/social/v1/events';
import type { EventRecord } from '@pulso/platform/events/event-bus';
import { isId } from '@pulso/platform/ids/uuid-v7';
import type { PostRepository } from '../post/post.repository.js';
import type { PostsStore } from '../store/posts-store.js';
import { READ_BUDGET_MS } from '../store/queries.js';
import type { HiddenPostRow } from './hidden-post.schema.js';
import type { ProjectedRows } from './rebuild/projected-rows.js';

const PAGE = 1_000;

type Decision = Pick<HiddenPostRow, 'authorId' | 'hidden' | 'version'>;

/**
 * The posts that moderators have hidden, all of them in memory: every page asks for every post on it, and there are
 * few. A hidden post is there for its author alone, who may edit or delete it; to everyone else it does not exist.
 */
export class HiddenPosts {
  private decisions = new Decisions();
  /** Those that reloads under way are gathering: a change may come after its row was read, and before the reload ends. */
  private readonly gathering = new Set<Decisions>();

  constructor(
    private readonly store: PostsStore,
    private readonly posts: PostRepository,
    private readonly rows: ProjectedRows,
  ) {}

  isHidden(postId: string): boolean {
    return this.decisions.isHidden(postId);
  }

  /** The hidden posts of these authors. */
  byAuthors(authorIds: readonly string[]): string[] {
    return authorIds.flatMap((authorId) => [...this.decisions.hiddenOf(authorId)]);
  }

  /** Idempotent by version. Throws for an id that is none of ours. */
  async apply({ postId, hidden }: HiddenPostState, event: EventRecord): Promise<void> {
    if (!isId(postId)) throw new Error(`${postId} is no post's id`);
    const authorId = (await this.posts.findEvenDeleted(postId))?.authorId ?? '';
    if (!(await this.rows.write(event, { authorId, hidden }))) return;
    const row = await this.store.raw.hiddenPosts.findOne({ _id: postId }, { maxTimeMS: READ_BUDGET_MS });
    if (row) this.refresh([row]);
  }

  /** Rows that have changed lately, by anyone. */
  refresh(rows: readonly HiddenPostRow[]): void {
    for (const decisions of [this.decisions, ...this.gathering]) decisions.refresh(rows);
  }

  /** Reads every row anew: some may be gone, or be of an older version than they claimed. */
  async reload(): Promise<void> {
    const fresh = new Decisions();
    this.gathering.add(fresh);
    try {
      for (let after = ''; ;) {
        const page = await this.store.raw.hiddenPosts
          .find({ _id: { $gt: after } }, { maxTimeMS: READ_BUDGET_MS })
          .sort({ _id: 1 })
          .limit(PAGE)
          .toArray();
        fresh.refresh(page);
        if (page.length < PAGE) break;
        after = page.at(-1)!._id;
      }
      this.decisions = fresh;
    } finally {
      this.gathering.delete(fresh);
    }
  }
}

/** The newest decision on each post, and the posts that are hidden of each author. */
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
