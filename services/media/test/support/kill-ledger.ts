import type { Dice } from '@pulso/platform/testing/seeded';
import { DAY_MS, type TestMedia } from '../start.js';

interface Post {
  ownerId: string;
  ids: string[];
  version: number;
}

/** What the lines of `uploader.ts` have promised, and the posts that were made of it. */
export class KillLedger {
  /** Answered uploads that nothing else was begun with, by the time of their answer. */
  private readonly uploads = new Map<string, number>();
  /** Those of the claim that each owner has begun. */
  private readonly claiming = new Map<string, string[]>();
  /** Claims that were answered, whose posts are not written yet. */
  private readonly claimed = new Map<string, { ownerId: string; ids: string[] }>();
  private readonly posts = new Map<string, Post>();

  constructor(
    private readonly media: TestMedia,
    readonly owners: readonly string[],
    private readonly dice: Dice,
  ) {}

  /** Whether the line tells the end of an act. */
  note(line: string): boolean {
    const [act, ownerId, ...words] = line.split(' ') as [string, string, ...string[]];
    if (act === 'uploaded') this.uploads.set(words[0]!, this.media.service.clock.now());
    if (act === 'delete') this.uploads.delete(words[0]!);
    if (act === 'claim') {
      const ids = words.slice(1);
      for (const id of ids) this.uploads.delete(id);
      this.claiming.set(ownerId, ids);
    }
    if (act === 'claimed') this.claimed.set(words[0]!, { ownerId, ids: this.claiming.get(ownerId)! });
    return ['uploaded', 'deleted', 'claimed'].includes(act);
  }

  /** Uploads that were answered less than a day ago, and not touched since. */
  kept(): string[] {
    const since = this.media.service.clock.now() - DAY_MS;
    return [...this.uploads].filter(([, at]) => at > since).map(([id]) => id);
  }

  published(): string[] {
    return [...this.posts.values()].flatMap(({ ids }) => ids);
  }

  /** Writes posts of most answered claims, edits and deletes some others, and has media hear of it. */
  async settlePosts(): Promise<void> {
    for (const [id, post] of this.posts) {
      if (this.dice.chance(0.2)) await this.tell(id, { ...post, ids: post.ids.slice(1) });
    }
    for (const [id, { ownerId, ids }] of this.claimed) {
      if (this.dice.chance(0.8)) await this.tell(id, { ownerId, ids, version: 0 });
    }
    this.claimed.clear();
  }

  /** A post without an image is deleted. */
  private async tell(id: string, { ownerId, ids, version }: Post): Promise<void> {
    const deleted = ids.length === 0;
    await this.media.postIs(id, ownerId, version + 1, { mediaIds: ids, deleted });
    if (deleted) this.posts.delete(id);
    else this.posts.set(id, { ownerId, ids, version: version + 1 });
  }
}
