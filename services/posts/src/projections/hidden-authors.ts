import { Injectable } from '@nestjs/common';
import { FeedIndex } from '../feed-index/feed-index.js';
import { type UserRow, UserRows } from './user.schema.js';

type Status = UserRow['status'];

const USERS_AT_ONCE = 1_000;

/**
 * The suspended and deleted users, all of them in memory: the feed's index leaves out their posts (FEED-2), until a
 * suspension ends (PEOPLE-38), so that no page has to read its way past them.
 */
@Injectable()
export class HiddenAuthors {
  private readonly hidden = new Map<string, Status>();
  /** The users that were noted while a reload runs: a note may be newer than the reload's page. */
  private readonly meanwhile = new Set<Map<string, Status>>();
  private readonly listeners: ((userId: string) => void)[] = [];

  constructor(
    private readonly rows: UserRows,
    private readonly index: FeedIndex,
  ) {}

  has(userId: string): boolean {
    return this.hidden.has(userId);
  }

  isSuspended(userId: string): boolean {
    return this.hidden.get(userId) === 'suspended';
  }

  /** `listener` is called with each user who is suspended now or no longer, also when they are first read. */
  onSuspension(listener: (userId: string) => void): void {
    this.listeners.push(listener);
  }

  /** Takes over a user's state; call it with the newest one last. */
  note({ _id, status }: Pick<UserRow, '_id' | 'status'>): void {
    for (const noted of this.meanwhile) noted.set(_id, status);
    this.set(_id, status);
  }

  /** Reads them all again: some rows may be gone, or have older versions than before. */
  async reload(): Promise<void> {
    const noted = new Map<string, Status>();
    this.meanwhile.add(noted);
    try {
      const fresh = new Map<string, Status>();
      for (const status of ['suspended', 'deleted'] as const) {
        for await (const { _id } of this.read(status)) fresh.set(_id, status);
      }
      for (const id of [...this.hidden.keys(), ...fresh.keys()]) {
        this.set(id, noted.get(id) ?? fresh.get(id) ?? 'active');
      }
    } finally {
      this.meanwhile.delete(noted);
    }
  }

  private async *read(status: Status): AsyncGenerator<Pick<UserRow, '_id'>> {
    for (let after = ''; ;) {
      const page = await this.rows.find(
        { status, _id: { $gt: after } },
        { projection: { _id: 1 }, sort: { _id: 1 }, limit: USERS_AT_ONCE },
      );
      yield* page;
      if (page.length < USERS_AT_ONCE) return;
      after = page.at(-1)!._id;
    }
  }

  private set(userId: string, status: Status): void {
    const before = this.hidden.get(userId) ?? 'active';
    if (before === status) return;
    if (status === 'active') this.hidden.delete(userId);
    else this.hidden.set(userId, status);
    this.index.setAuthorHidden(userId, status !== 'active');
    if (before === 'suspended' || status === 'suspended') {
      for (const listener of this.listeners) listener(userId);
    }
  }
}
