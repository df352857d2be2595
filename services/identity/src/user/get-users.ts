import { Injectable } from '@nestjs/common';
import { viewerId } from '@pulso/platform/context/request-context';
import { KnownBlocks } from '../projections/known-blocks.js';
import { readUserIds } from './read-user-ids.js';
import type { User } from '../store/user.entity.js';
import { UserRepository } from '../store/user.repository.js';

/**
 * Those of the users whom `GetUser` would give the caller, in no certain order; public. Throws `validation-failed` for more
 * than 100 ids.
 */
@Injectable()
export class GetUsers {
  constructor(
    private readonly users: UserRepository,
    private readonly blocks: KnownBlocks,
  ) {}

  async execute(ids: readonly string[]): Promise<User[]> {
    const viewer = viewerId();
    const wanted = readUserIds('ids', ids);
    const [users, blockers] = await Promise.all([
      this.users.findActive(wanted),
      viewer === null ? new Set<string>() : this.blocks.blockersAmong(wanted, viewer),
    ]);
    return users.filter(({ id }) => id === viewer || !blockers.has(id));
  }
}
