import { Injectable } from '@nestjs/common';
import type { Device } from '@pulso/contracts/identity/v1/identity';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { AccountNotices, type SealedMail } from '../store/account-notices.js';
import type { User } from '../store/user.entity.js';
import { describeDevice, type OpenedSession } from './session-issuer.js';

/** Tells users of sign-ins on new devices, at verified addresses and where they want it (ACCT-41, MAIL-6). */
@Injectable()
export class SignInNotices {
  constructor(
    private readonly notices: AccountNotices,
    private readonly clock: Clock,
  ) {}

  /** Call it before the transaction of a sign-in; undefined for who is not told. */
  async prepare(
    { email, emailVerified, wantsSecurityMails }: User,
    device: Device | undefined,
  ): Promise<SealedMail | undefined> {
    if (!emailVerified || !wantsSecurityMails) return undefined;
    const { userAgent = '' } = describeDevice(device);
    // To this address, also where whoever has signed in changes it before the mail can be sent.
    return this.notices.seal('new-sign-in', { to: email, userAgent, at: this.clock.now() });
  }

  /** Sends what was prepared if the session has been opened on a new device. */
  async tell(
    userId: string,
    mail: SealedMail | undefined,
    { isNewDevice }: OpenedSession,
    transaction: Transaction,
  ): Promise<void> {
    if (mail && isNewDevice) await this.notices.tell(userId, mail, transaction);
  }
}
