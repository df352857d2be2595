import { Injectable } from '@nestjs/common';
import type { UserRef } from '@pulso/contracts/common/v1/common';
import type { ListedPeople } from '../store/listed-people.js';
import { KnownBlocks } from './known-blocks.js';
import { KnownUsers, userRefOf } from './known-users.js';
import { SeenPeople, type Unfiltered } from './seen-people.js';

/** Whom a user sees in lists of conversations and notifications. */
@Injectable()
export class VisiblePeople implements ListedPeople {
  constructor(
    private readonly users: KnownUsers,
    private readonly blocks: KnownBlocks,
  ) {}

  /**
   * Those of `others` whom the viewer sees: without users with a block in either direction (MSG-9), suspended ones
   * (ACCT-31) and those whose state has not arrived. Deleted users stay, under another name (MSG-11).
   */
  async among(viewerId: string, others: Iterable<string>): Promise<ReadonlyMap<string, UserRef>> {
    const ids = [...new Set(others)];
    const [users, blocked] = await Promise.all([this.users.get(ids), this.blocks.among(viewerId, ids)]);
    const seen = new Map<string, UserRef>();
    for (const [id, user] of users) {
      if (user.status !== 'suspended' && !blocked.has(id)) seen.set(id, userRefOf(user));
    }
    return seen;
  }

  /** For an answer that asks for people more than once. */
  visibleTo(viewerId: string): SeenPeople {
    return new SeenPeople((ids) => this.among(viewerId, ids));
  }

  /** The part as the viewer sees it. Reads all its people at once. */
  async show<T>(viewerId: string, part: Unfiltered<T>): Promise<T> {
    const people = this.visibleTo(viewerId);
    await people.among(part.people);
    return part.filteredBy(people);
  }
}
