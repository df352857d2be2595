import { Injectable } from '@nestjs/common';
import type { Device } from '@pulso/contracts/identity/v1/identity';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { AccountNotices, type SealedMail } from '../store/account-notices.js';
import { SignInDevices } from '../store/sign-in-devices.js';
import type { User } from '../store/user.entity.js';
import { describeDevice, type OpenedSession } from './session-issuer.js';

/** A mail that a sign-in may have to send. Resolves to it; it is sealed by now where it will probably go. */
export type SignInMail = () => Promise<SealedMail>;

/** Tells users of sign-ins on new devices, at verified addresses and where they want it (ACCT-41, MAIL-6). */
@Injectable()
export class SignInNotices {
  constructor(
    private readonly notices: AccountNotices,
    private readonly devices: SignInDevices,
    private readonly clock: Clock,
  ) {}

  /**
   * Call it before the transaction of a sign-in; undefined for who is not told. Sealing takes longer than a look at the devices, and
   * nearly all sign-ins are on a known one.
   */
  async prepare(
    { id, email, emailVerified, wantsSecurityMails }: User,
    device: Device | undefined,
  ): Promise<SignInMail | undefined> {
    if (!emailVerified || !wantsSecurityMails) return undefined;
    const { userAgent = '' } = describeDevice(device);
    const at = this.clock.now();
    // To this address, also where whoever has signed in changes it before the mail can be sent.
    const seal = () => this.notices.seal('new-sign-in', { to: email, userAgent, at });
    if (await this.devices.wasSeen(id, userAgent)) return seal;
    const sealed = await seal();
    return () => Promise.resolve(sealed);
  }

  /** Sends what was prepared if the session has been opened on a new device, also on one that was known until just now. */
  async tell(
    userId: string,
    mail: SignInMail | undefined,
    { isNewDevice }: OpenedSession,
    transaction: Transaction,
  ): Promise<void> {
    if (mail && isNewDevice) await this.notices.tell(userId, await mail(), transaction);
  }
}
