import { Injectable } from '@nestjs/common';
import { Clock } from '@pulso/platform/time/clock';
import { PasswordHasher } from '../password/password-hasher.js';
import { readPassword } from '../password/password-policy.js';
import type { SignedInRow } from '../store/shown-users.repository.js';
import type { User } from '../store/user.entity.js';
import { UserRepository } from '../store/user.repository.js';
import { wrongPassword } from '../user/user-errors.js';

/** For this long after signing in or showing a passkey, what else needs the password needs none (ACCT-9, ACCT-26, ACCT-43). */
const FRESH_SIGN_IN_MS = 5 * 60 * 1000;

/**
 * Whether it is the account's owner who asks: a stolen session that is still open must not be enough to take the account over.
 * Outside of transactions: hashing may have to queue, and no row must be locked meanwhile.
 */
@Injectable()
export class ConfirmOwner {
  constructor(
    private readonly users: UserRepository,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /**
   * By the password; where none is given by a passkey that was just shown in the session, and for an account without a password by a fresh
   * sign-in, too. Returns the hash that the account must still have when it is changed. Throws `wrong-password`.
   */
  async confirm(account: SignedInRow, password: string): Promise<User['passwordHash']> {
    if (password !== '') return this.byPassword(account.id, password);
    if (account.hasPassword) return this.byPasskey(account);
    if (!this.isFresh(account)) throw wrongPassword();
    return null;
  }

  isFresh({ signedInAt, passkeyAt }: Pick<SignedInRow, 'signedInAt' | 'passkeyAt'>): boolean {
    return this.isRecent(Math.max(signedInAt, passkeyAt ?? 0));
  }

  /** Throws `wrong-password` where the password is wrong, or is not given and the sign-in is not fresh. */
  async check(account: SignedInRow, password: string | undefined): Promise<void> {
    if (password !== undefined || !this.isFresh(account)) await this.byPassword(account.id, password);
  }

  /** Returns the hash by which the password is right. Throws `wrong-password`, also for a text that is none and without one. */
  async byPassword(userId: string, password: string | undefined): Promise<User['passwordHash']> {
    const given = password === undefined ? undefined : readPassword(password).value;
    if (given === undefined) throw wrongPassword();
    const user = await this.users.findById(userId);
    if (!user || !(await this.hasher.verify(user.passwordHash, given)).isRight) throw wrongPassword();
    return user.passwordHash;
  }

  /**
   * Where a passkey was just shown in the session: it stands in the place of the password itself, whose hash is returned. Throws
   * `wrong-password`.
   */
  private async byPasskey({ id, passkeyAt }: SignedInRow): Promise<User['passwordHash']> {
    const user = passkeyAt !== null && this.isRecent(passkeyAt) ? await this.users.findById(id) : null;
    if (!user) throw wrongPassword();
    return user.passwordHash;
  }

  private isRecent(time: number): boolean {
    return this.clock.now() - time < FRESH_SIGN_IN_MS;
  }
}
