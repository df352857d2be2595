import { Injectable } from '@nestjs/common';
import { nextVersion } from '@pulso/platform/events/version';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { PasswordHasher } from '../password/password-hasher.js';
import { AccountNotices, type SealedMail } from '../store/account-notices.js';
import { ActionTokens } from '../store/action-tokens.js';
import { OpenidLinks } from '../store/openid-links.js';
import { Passkeys } from '../store/passkeys.js';
import { publishUser } from '../store/publish-user.js';
import { SessionRepository } from '../store/session.repository.js';
import type { User } from '../store/user.entity.js';
import { UserRepository } from '../store/user.repository.js';

/** A password and the mail that tells of it, before the account has them. */
export interface PreparedPassword {
  hash: string;
  notice: SealedMail;
}

export interface NewPassword extends PreparedPassword {
  /** The session that goes on; all others end. */
  keptSession?: string;
  /** Whether the owner has shown that they read the mail of the present address. */
  verifiesEmail?: true;
}

/**
 * Gives an account another password, and takes away what somebody may have who knew the one before (ACCT-41): sessions, links to a
 * new password, a new address that waits for verification, sign-ins by an OpenID provider and passkeys with another address, or, after
 * a reset, all passkeys (ACCT-43) and what the provider has not verified. An address that was verified before is told (MAIL-13).
 */
@Injectable()
export class SetPassword {
  constructor(
    private readonly users: UserRepository,
    private readonly sessions: SessionRepository,
    private readonly tokens: ActionTokens,
    private readonly links: OpenidLinks,
    private readonly passkeys: Passkeys,
    private readonly notices: AccountNotices,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /** Call it before the transaction, which need not wait for it. `email` is the account's address. */
  async prepare(password: string, email: string): Promise<PreparedPassword> {
    const [hash, notice] = await Promise.all([
      this.hasher.hash(password),
      this.notices.seal('password-changed', { to: email }),
    ]);
    return { hash, notice };
  }

  /** The user's row must be locked. */
  async execute(
    user: User,
    { hash, notice, keptSession, verifiesEmail }: NewPassword,
    transaction: Transaction,
  ): Promise<void> {
    const now = this.clock.now();
    await this.sessions.endAll(user.id, 'password', now, transaction, keptSession);
    await this.tokens.remove('reset-password', user.id, transaction);
    if (user.pendingEmail !== null) await this.tokens.remove('verify-email', user.id, transaction);
    if (verifiesEmail) {
      await this.links.removeUnproven(user, transaction);
      await this.passkeys.removeAll(user, transaction);
    } else {
      await this.links.removeOfOtherAddresses(user, transaction);
      await this.passkeys.removeOfOtherAddresses(user, transaction);
    }
    if (user.emailVerified) await this.notices.tell(user.id, notice, transaction);
    const changed: User = { ...user, passwordHash: hash, pendingEmail: null, updatedAt: now };
    const isNowVerified = verifiesEmail === true && !user.emailVerified;
    if (isNowVerified) {
      changed.emailVerified = true;
      changed.version = nextVersion(user.version, this.clock);
    }
    await this.users.save(changed, transaction);
    if (isNowVerified) await publishUser(changed, transaction);
  }
}
