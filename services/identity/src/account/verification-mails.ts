import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { AccountNotices, type SealedMail } from '../store/account-notices.js';
import { newActionToken } from '../store/action-token.js';
import { ActionTokens } from '../store/action-tokens.js';
import type { User } from '../store/user.entity.js';

const HOUR_MS = 60 * 60_000;
/** Verification mails that an account sends in an hour (LIMIT-18). */
const MAILS_AN_HOUR = 5;
/** Accounts that send them to one address in an hour (LIMIT-18). */
const ACCOUNTS_AN_HOUR = 5;

/** A mail with a link that verifies an address, sealed and not sent yet. */
export interface PreparedLink {
  email: string;
  hash: Buffer;
  mail: SealedMail;
}

/** The mails whose links verify an address (ACCT-27). Prepare one before the transaction that sends it. */
@Injectable()
export class VerificationMails {
  constructor(
    private readonly notices: AccountNotices,
    private readonly tokens: ActionTokens,
    private readonly clock: Clock,
  ) {}

  async prepare(email: string): Promise<PreparedLink> {
    const { token, hash } = newActionToken();
    const mail = await this.notices.seal('verify-email', { to: email, token });
    return { email, hash, mail: { ...mail, toHash: sha256(email) } };
  }

  /** The first mail of a new account, which goes to its address (MAIL-1). */
  async prepareWelcome(email: string): Promise<PreparedLink> {
    const { token, hash } = newActionToken();
    return { email, hash, mail: await this.notices.seal('welcome', { token }) };
  }

  /** The user's row must be locked, or new. No earlier link of the account works any more. */
  async send(userId: string, { email, hash, mail }: PreparedLink, transaction: Transaction): Promise<void> {
    await this.tokens.put('verify-email', { userId, email, hash }, transaction);
    await this.notices.tell(userId, mail, transaction);
  }

  /** The same, and nothing beyond the limit. */
  async sendWithinLimit(user: User, link: PreparedLink, transaction: Transaction): Promise<void> {
    if (!(await this.isTooMuch(user, link, transaction))) await this.send(user.id, link, transaction);
  }

  /** Lets the link of the account work no longer. The user's row must be locked. */
  async withdraw(userId: string, transaction: Transaction): Promise<void> {
    await this.tokens.remove('verify-email', userId, transaction);
  }

  private async isTooMuch(user: User, { email }: PreparedLink, transaction: Transaction): Promise<boolean> {
    const since = this.clock.now() - HOUR_MS;
    const own = await this.notices.countSince('verify-email', user.id, since, transaction);
    if (own >= MAILS_AN_HOUR) return true;
    // Accounts that wait for an address must not keep the account that has it from verifying it.
    if (email === user.email) return false;
    const to = { toHash: sha256(email), exceptOf: user.id };
    return (await this.notices.countSenders('verify-email', to, since, transaction)) >= ACCOUNTS_AN_HOUR;
  }
}

const sha256 = (email: string): Buffer => createHash('sha256').update(email).digest();
