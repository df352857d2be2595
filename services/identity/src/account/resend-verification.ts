import { Injectable } from '@nestjs/common';
import type { ResendVerificationResponse } from '@pulso/contracts/identity/v1/identity';
import { Writes } from '@pulso/platform/postgres/writes';
import { SignedInAccount } from '../session/signed-in-account.js';
import type { ShownAccount } from '../store/shown-user.js';
import type { User } from '../store/user.entity.js';
import { VerificationMails } from './verification-mails.js';

/**
 * Sends the caller a new link for the pending address, or for the present one that is not verified (ACCT-27). Does nothing where
 * there is nothing to verify, and beyond the limit.
 */
@Injectable()
export class ResendVerification {
  constructor(
    private readonly signedIn: SignedInAccount,
    private readonly writes: Writes,
    private readonly mails: VerificationMails,
  ) {}

  async execute(): Promise<ResendVerificationResponse> {
    const email = toVerify(await this.signedIn.require());
    if (email === null) return {};
    const link = await this.mails.prepare(email);
    await this.writes.run(async (transaction) => {
      const user = await this.signedIn.lock(transaction);
      // What has changed the address meanwhile has sent its own.
      if (toVerify(user) === email) await this.mails.sendWithinLimit(user, link, transaction);
    });
    return {};
  }
}

const toVerify = ({ email, pendingEmail, emailVerified }: ShownAccount | User): string | null =>
  pendingEmail ?? (emailVerified ? null : email);
