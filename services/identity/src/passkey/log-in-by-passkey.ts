import { Injectable } from '@nestjs/common';
import type { LogInByPasskeyRequest, Session } from '@pulso/contracts/identity/v1/identity';
import { userDisabled } from '@pulso/platform/errors/user-errors';
import { Writes } from '@pulso/platform/postgres/writes';
import { SessionIssuer } from '../session/session-issuer.js';
import { SignInNotices } from '../session/sign-in-notices.js';
import { UserRepository } from '../store/user.repository.js';
import { invalidCredential } from '../user/user-errors.js';
import { ShownPasskeys } from './shown-passkeys.js';

/**
 * Signs in by a passkey (ACCT-43). Throws `invalid-credential` for whatever does not fit, and `user-disabled` only after the right
 * passkey (ACCT-11). A sign-in on a new device is told to the verified address (ACCT-41).
 */
@Injectable()
export class LogInByPasskey {
  constructor(
    private readonly writes: Writes,
    private readonly users: UserRepository,
    private readonly shown: ShownPasskeys,
    private readonly issuer: SessionIssuer,
    private readonly notices: SignInNotices,
  ) {}

  async execute({ origin, assertion, device }: LogInByPasskeyRequest): Promise<Session> {
    const passkey = await this.shown.judge(origin, assertion, { purpose: 'passkey log-in', userId: null });
    const known = passkey && (await this.users.findById(passkey.userId));
    if (!known) throw invalidCredential();
    const notice = await this.notices.prepare(known, device);
    const { user, opened } = await this.writes.run(async (transaction) => {
      const user = await this.users.lockById(known.id, transaction);
      if (!user || user.status === 'deleted' || !(await passkey.note(transaction))) throw invalidCredential();
      if (user.status === 'suspended') throw userDisabled();
      const opened = await this.issuer.open(user.id, device, transaction, { byPasskey: true });
      await this.notices.tell(user.id, notice, opened, transaction);
      return { user, opened };
    });
    return this.issuer.signIn(user, opened);
  }
}
