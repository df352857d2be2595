import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { Dice } from '@pulso/platform/testing/seeded';
import { DAY_MS, type TestMedia } from '../start.js';
import { MediaProcess, Struck } from './media-process.js';
import { MediaTarget } from './media-target.js';
import { aPicture } from './upload-form.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const TICKET_MS = MINUTE_MS;
/** No event comes later than this; what is detached is kept for longer. */
const LATEST_EVENT_MS = 20 * HOUR_MS;
/** The longest operation asks its engines for less. */
const MOST_STEPS = 14;
const STRIKES = ['refused', 'answer-lost', 'killed', 'killed-after', 'abort', 'stall'] as const;

/** An upload that was answered, and with which nothing else was tried. */
interface Upload {
  ownerId: string;
  purpose: 'post' | 'avatar';
  at: number;
}

/**
 * A random history of uploads, publications, edits and deletions by some owners, on processes of media that fail and are
 * killed at any step, while events come late and the job removes. It knows what media owes to whom.
 */
export class MediaHistory {
  readonly owners: string[];
  readonly free = new Map<string, Upload>();
  readonly targets: MediaTarget[] = [];
  /** How often each operation was done, and each kind of strike has hit. */
  readonly counts: Record<string, number> = {};
  private readonly dice: Dice;
  private process: MediaProcess;

  constructor(
    private readonly media: TestMedia,
    seed: number,
  ) {
    this.dice = new Dice(seed);
    this.owners = [media.newId(), media.newId()];
    this.process = new MediaProcess(media);
    for (const ownerId of this.owners) this.targets.push(new MediaTarget(media, ownerId, ownerId, 'profile'));
  }

  async play(operations: number): Promise<void> {
    for (let count = 0; count < operations; count += 1) {
      if (this.process.isKilled) this.process = new MediaProcess(this.media);
      this.aim();
      const act = this.dice.pick(this.acts);
      const other = this.dice.chance(0.3) ? [this.dice.pick(this.acts)] : [];
      await Promise.all([act, ...other].map((one) => one()));
      this.process.strike = () => undefined;
    }
  }

  /** All events arrive, one owner leaves, and the job has had all the time it needs. */
  async settle(): Promise<void> {
    const { clock } = this.media.service;
    for (const target of this.targets) await target.deliverBefore(Infinity);
    const [leaving] = this.owners as [string];
    const profile = this.targets.find(({ id }) => id === leaving)!;
    const status = UserStatus.USER_STATUS_DELETED;
    await this.media.userIs(leaving, profile.now.version + 1, { status });
    for (const target of this.targets)
      if (target.ownerId === leaving) target.arrived = { ...target.arrived, deleted: true };
    // Claims last for eight days, and what a killed job has left is due an hour later.
    for (const pause of [0, 9 * DAY_MS, DAY_MS, HOUR_MS]) {
      clock.advance(pause);
      await this.media.remove();
    }
  }

  /** The images that are to be seen now, by the events that have arrived, with their owners. */
  owed(): Map<string, string> {
    const owed = new Map<string, string>();
    for (const { ownerId, arrived } of this.targets)
      if (!arrived.deleted) for (const id of arrived.listed) owed.set(id, ownerId);
    return owed;
  }

  /** Uploads that were answered less than a day ago, and that nobody has touched. */
  kept(): string[] {
    const since = this.media.service.clock.now() - DAY_MS;
    return [...this.free].filter(([, { at }]) => at > since).map(([id]) => id);
  }

  private readonly acts = [
    () => this.upload(),
    () => this.upload(),
    () => this.upload(),
    () => this.publish(),
    () => this.publish(),
    () => this.edit(),
    () => this.edit(),
    () => this.deletePost(),
    () => this.deleteUpload(),
    () => this.changeAvatar(),
    () => this.removal(),
    () => this.arrive(),
    () => this.arrive(),
    () => this.pass(),
  ];

  /** Chooses the step of the next operation that is struck, if any, and how. */
  private aim(): void {
    const kind = this.dice.chance(0.6) ? this.dice.pick(STRIKES) : undefined;
    let left = this.dice.below(MOST_STEPS);
    this.process.strike = (isInTransaction) => {
      // The job would wait for the rows of a transaction that stands still.
      if (kind === undefined || (kind === 'stall' && isInTransaction)) return undefined;
      if (left-- !== 0) return undefined;
      this.count(kind);
      if (kind === 'abort') return () => this.aborting.abort(new Error('the client has left'));
      if (kind === 'stall') return () => this.stall();
      return kind;
    };
  }

  private aborting = new AbortController();

  /** This step takes longer than an upload may, and the job runs meanwhile. */
  private async stall(): Promise<void> {
    this.media.service.clock.advance(11 * MINUTE_MS);
    await this.media.remove();
  }

  /** Undefined where the operation was refused, or struck: its outcome is not known then. */
  private async attempt<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    this.count(name);
    try {
      return await work();
    } catch (error) {
      const isExpected =
        error instanceof DomainError || error instanceof Struck || this.aborting.signal.aborted;
      if (!isExpected) throw error;
      return undefined;
    }
  }

  private async upload(): Promise<void> {
    this.aborting = new AbortController();
    const { signal } = this.aborting;
    const purpose = this.dice.chance(0.2) ? 'avatar' : 'post';
    const ownerId = this.dice.pick(this.owners);
    const file = await picture(20 + this.dice.below(60));
    const isBroken = this.dice.chance(0.1);
    const sent = isBroken ? file.subarray(0, file.length / 2) : file;
    const isOpenEnded = this.dice.chance(0.2);
    const at = this.media.service.clock.now();
    const image = await this.attempt('upload', () =>
      this.process.upload(ownerId, sent, { purpose, isOpenEnded, signal }),
    );
    if (image) this.free.set(image.facts!.id, { ownerId, purpose, at });
  }

  private async publish(): Promise<void> {
    const ownerId = this.dice.pick(this.owners);
    const ids = this.take(ownerId, 'post', 1 + this.dice.below(3));
    if (ids.length === 0) return;
    const post = new MediaTarget(this.media, this.media.newId(), ownerId, 'post');
    if (!(await this.claim(post, ids))) return;
    this.targets.push(post);
    post.change({ listed: ids });
  }

  private async edit(): Promise<void> {
    const post = this.anyPost();
    if (!post) return;
    const kept = post.now.listed.filter(() => this.dice.chance(0.7));
    const again = post.dropped.filter((id) => !kept.includes(id) && this.dice.chance(0.3));
    const added = this.take(post.ownerId, 'post', this.dice.below(2));
    const ids = this.dice.shuffled([...kept, ...again, ...added]);
    if (ids.length === 0 || !(await this.claim(post, ids))) return;
    post.change({ listed: ids });
  }

  private async changeAvatar(): Promise<void> {
    const ownerId = this.dice.pick(this.owners);
    const profile = this.targets.find(({ id }) => id === ownerId)!;
    const [id] = this.take(ownerId, 'avatar', 1);
    if (id === undefined) return;
    const claim = () => this.process.as(ownerId, () => this.process.claimForProfile.execute({ id }));
    if (await this.attempt('avatar', claim)) profile.change({ listed: [id] });
  }

  /** Whether posts has written the post, to which media's ticket entitles it for a minute. */
  private async claim(post: MediaTarget, ids: string[]): Promise<boolean> {
    const { ownerId, id: postId } = post;
    const { clock } = this.media.service;
    const since = clock.now();
    const request = { ids, postId, publicationKey: this.dice.chance(0.5) ? postId : '' };
    const claimed = await this.attempt('claim', () =>
      this.process.as(ownerId, () => this.process.claimForPost.execute(request)),
    );
    // Something else has let time pass, and the ticket is too old for posts.
    if (!claimed || clock.now() - since > TICKET_MS) return false;
    if (this.dice.chance(0.8)) return true;
    // Refused by posts, or never heard of again.
    if (this.dice.chance(0.5))
      await this.attempt('release', () =>
        this.process.as(ownerId, () => this.process.releaseClaim.execute({ ids, postId })),
      );
    return false;
  }

  private async deletePost(): Promise<void> {
    const post = this.dice.chance(0.6) ? this.anyPost() : undefined;
    if (!post) return;
    this.count('delete post');
    post.change({ listed: [], deleted: true });
  }

  /** Also what a post has: media must refuse that. */
  private async deleteUpload(): Promise<void> {
    const ownerId = this.dice.pick(this.owners);
    const attached = [...this.owed()].filter(([, owner]) => owner === ownerId).map(([id]) => id);
    const ids = this.dice.chance(0.3) ? attached : this.take(ownerId, 'post', 1);
    if (ids.length === 0) return;
    const id = this.dice.pick(ids);
    await this.attempt('delete', () =>
      this.process.as(ownerId, () => this.process.deleteAsset.execute({ id })),
    );
  }

  private async removal(): Promise<void> {
    await this.attempt('removal', () => this.process.remove());
  }

  private async arrive(): Promise<void> {
    const waiting = this.targets.filter(({ isWaiting }) => isWaiting);
    if (waiting.length === 0) return;
    this.count('event');
    await this.dice.pick(waiting).deliver();
  }

  private async pass(): Promise<void> {
    const { clock } = this.media.service;
    const pause = this.dice.pick([1_000, 3 * MINUTE_MS, 11 * MINUTE_MS, 5 * HOUR_MS, 26 * HOUR_MS]);
    const late = clock.now() + pause - LATEST_EVENT_MS;
    for (const target of this.targets) await target.deliverBefore(late);
    clock.advance(pause);
  }

  /** Takes some of an owner's free uploads; from now on they are no longer free. */
  private take(ownerId: string, purpose: Upload['purpose'], most: number): string[] {
    const mine = [...this.free].filter(([, one]) => one.ownerId === ownerId && one.purpose === purpose);
    const taken = this.dice.shuffled(mine).slice(0, most);
    for (const [id] of taken) this.free.delete(id);
    return taken.map(([id]) => id);
  }

  private anyPost(): MediaTarget | undefined {
    const posts = this.targets.filter(({ kind, now }) => kind === 'post' && !now.deleted);
    return posts.length === 0 ? undefined : this.dice.pick(posts);
  }

  private count(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
}

const pictures = new Map<number, Promise<Buffer>>();

/** One of each size is enough. */
function picture(side: number): Promise<Buffer> {
  const made = pictures.get(side) ?? aPicture(side, side);
  pictures.set(side, made);
  return made;
}
