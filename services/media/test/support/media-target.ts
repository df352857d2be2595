import type { TestMedia } from '../start.js';

interface Listed {
  version: number;
  listed: readonly string[];
  deleted: boolean;
}

interface Event extends Listed {
  at: number;
}

/** A post or a profile with the images that its owner has given it, whose events are on their way to media. */
export class MediaTarget {
  /** As its owner sees it. */
  now: Listed = { version: 0, listed: [], deleted: false };
  /** The newest event that media has handled. */
  arrived: Listed = this.now;
  /** What it has had. */
  dropped: string[] = [];
  /** Events that have not arrived yet, oldest first. */
  private readonly waiting: Event[] = [];

  constructor(
    private readonly media: TestMedia,
    readonly id: string,
    readonly ownerId: string,
    readonly kind: 'post' | 'profile',
  ) {}

  get isWaiting(): boolean {
    return this.waiting.length > 0;
  }

  /** The owner's change, whose event is on its way from now on. */
  change({ listed, deleted = false }: { listed: readonly string[]; deleted?: boolean }): void {
    const had = new Set([...this.dropped, ...this.now.listed]);
    this.dropped = [...had].filter((id) => !listed.includes(id));
    this.now = { version: this.now.version + 1, listed, deleted };
    this.waiting.push({ ...this.now, at: this.media.service.clock.now() });
  }

  /** Its oldest event arrives, if there is one. */
  async deliver(): Promise<void> {
    const event = this.waiting.shift();
    if (!event) return;
    await this.tell(event);
    // Two may be on their way at once; the newer one counts, whichever was handled first.
    if (event.version > this.arrived.version) this.arrived = event;
  }

  /** All events from before `time` arrive. */
  async deliverBefore(time: number): Promise<void> {
    while (this.waiting[0] && this.waiting[0].at < time) await this.deliver();
  }

  private tell({ version, listed, deleted }: Event): Promise<void> {
    return this.kind === 'post'
      ? this.media.postIs(this.id, this.ownerId, version, { mediaIds: [...listed], deleted })
      : this.media.userIs(this.id, version, { profileImageId: listed[0]! });
  }
}
