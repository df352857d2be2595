import { Injectable } from '@nestjs/common';
import type { Device } from '@pulso/contracts/identity/v1/identity';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { AccountNotices, type SealedMail } from '../store/account-notices.js';
import type { User } from '../store/user.entity.js';
import { describeDevice, type IssuedToken, SessionIssuer } from './session-issuer.js';

/** A sign-in that is about to open a session. */
export interface PreparedSignIn {
  device: Device | undefined;
  /** Of the sign-in, if it is on a new device. */
  notice: SealedMail;
}

/** Opens the sessions of sign-ins to accounts that are there: one on a new device is told to the verified address (ACCT-41). */
@Injectable()
export class ToldSignIn {
  constructor(
    private readonly issuer: SessionIssuer,
    private readonly notices: AccountNotices,
    private readonly clock: Clock,
  ) {}

  /** To be called before the transaction. */
  async prepare(device: Device | undefined): Promise<PreparedSignIn> {
    const userAgent = describeDevice(device).userAgent ?? '';
    return { device, notice: await this.notices.seal('new-sign-in', { userAgent, at: this.clock.now() }) };
  }

  /** The user's row must be locked. */
  async open(
    user: User,
    { device, notice }: PreparedSignIn,
    transaction: Transaction,
  ): Promise<IssuedToken> {
    const opened = await this.issuer.open(user.id, device, transaction);
    if (opened.isNewDevice && user.emailVerified && user.wantsSecurityMails)
      await this.notices.tell(user.id, notice, transaction);
    return opened;
  }
}
