import { Injectable } from '@nestjs/common';
import type { UnsubscribeRequest, UnsubscribeResponse } from '@pulso/contracts/identity/v1/identity';
import type { OptionalEmails } from '@pulso/contracts/limits';
import { nextVersion } from '@pulso/platform/events/version';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { readLinkToken, WISH_FIELDS } from '../store/optional-emails.js';
import { publishUser, userStands } from '../store/publish-user.js';
import type { User } from '../store/user.entity.js';
import { UserRepository } from '../store/user.repository.js';
import { invalidLink } from '../user/user-errors.js';

/**
 * Switches one kind of mails off for the user whose mail has the link, without a session (MAIL-6). Returns which kind;
 * repeated calls succeed. Throws `invalid-action-code`.
 */
@Injectable()
export class Unsubscribe {
  constructor(
    private readonly writes: Writes,
    private readonly users: UserRepository,
    private readonly clock: Clock,
  ) {}

  async execute({ token }: UnsubscribeRequest): Promise<UnsubscribeResponse> {
    const link = readLinkToken(token);
    if (!link) throw invalidLink();
    await this.writes.run((transaction) => this.switchOff(link.emails, link.token, transaction));
    return { emails: link.emails };
  }

  private async switchOff(emails: OptionalEmails, token: string, transaction: Transaction): Promise<void> {
    const user = await this.users.lockByUnsubscribeToken(token, transaction);
    // A suspended user may do it: the account can be reinstated, and then gets mails again.
    if (!user || user.status === 'deleted') throw invalidLink();
    if (!user[WISH_FIELDS[emails]]) return userStands(user, transaction);
    const changed: User = {
      ...user,
      [WISH_FIELDS[emails]]: false,
      version: nextVersion(user.version, this.clock),
      updatedAt: this.clock.now(),
    };
    await this.users.save(changed, transaction);
    await publishUser(changed, transaction);
  }
}
