import { Injectable } from '@nestjs/common';
import type {
  ConfirmByPasskeyRequest,
  ConfirmByPasskeyResponse,
} from '@pulso/contracts/identity/v1/identity';
import { requireCaller } from '@pulso/platform/context/request-context';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { SignedInAccount } from '../session/signed-in-account.js';
import { SessionRepository } from '../store/session.repository.js';
import { wrongPassword } from '../user/user-errors.js';
import { ShownPasskeys } from './shown-passkeys.js';

/**
 * Notes in the caller's session that one of their passkeys was shown: for 5 minutes it stands in the place of the current password
 * (ACCT-43). Throws `wrong-password` for whatever does not fit.
 */
@Injectable()
export class ConfirmByPasskey {
  constructor(
    private readonly signedIn: SignedInAccount,
    private readonly writes: Writes,
    private readonly sessions: SessionRepository,
    private readonly shown: ShownPasskeys,
    private readonly clock: Clock,
  ) {}

  async execute({ origin, assertion }: ConfirmByPasskeyRequest): Promise<ConfirmByPasskeyResponse> {
    const { id: userId } = await this.signedIn.require();
    const passkey = await this.shown.judge(origin, assertion, { purpose: 'passkey confirmation', userId });
    if (passkey?.userId !== userId) throw wrongPassword();
    await this.writes.run(async (transaction) => {
      await this.signedIn.lock(transaction);
      if (!(await passkey.note(transaction))) throw wrongPassword();
      await this.sessions.notePasskey(requireCaller().sessionId, this.clock.now(), transaction);
    });
    return {};
  }
}
