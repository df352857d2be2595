import { Injectable } from '@nestjs/common';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { FORMER_USERNAMES_MAX, type FormerUsername } from '../store/former-username.js';
import { UsernameRepository } from '../store/username.repository.js';
import { isReservedUsername } from '../user/reserved-usernames.js';
import { tooManyFormerUsernames, tooManyRenames, usernameTaken } from '../user/user-errors.js';

const RENAMES_MAX = 3;
const RENAMES_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Gives an account another username (PEOPLE-9, PEOPLE-10). Throws `username-taken`, `too-many-renames` or
 * `too-many-former-usernames`.
 */
@Injectable()
export class Rename {
  constructor(
    private readonly usernames: UsernameRepository,
    private readonly clock: Clock,
  ) {}

  /** The user's row must be locked. Returns the names that they have given up. */
  async execute(userId: string, username: string, transaction: Transaction): Promise<FormerUsername[]> {
    if (isReservedUsername(username)) throw usernameTaken();
    if (!(await this.usernames.claim(username, userId, transaction))) throw usernameTaken();
    const since = this.clock.now() - RENAMES_MS;
    if ((await this.usernames.noteRename(userId, since, transaction)) > RENAMES_MAX) throw tooManyRenames();
    await this.usernames.giveUpAllBut(username, userId, transaction);
    const former = await this.usernames.former(userId, transaction);
    if (former.length > FORMER_USERNAMES_MAX) throw tooManyFormerUsernames();
    return former;
  }
}
