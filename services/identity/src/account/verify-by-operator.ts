import { Injectable } from '@nestjs/common';
import { notFound } from '@pulso/platform/errors/domain-error';
import { nextVersion } from '@pulso/platform/events/version';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import type { ServiceCommand } from '@pulso/platform/service/service-commands';
import { Clock } from '@pulso/platform/time/clock';
import { publishUser } from '../store/publish-user.js';
import type { User } from '../store/user.entity.js';
import { UserRepository } from '../store/user.repository.js';
import { UsernameRepository } from '../store/username.repository.js';

/** An operator's word that the present e-mail address of an account belongs to its owner (ACCT-37). */
@Injectable()
export class VerifyByOperator {
  constructor(
    private readonly writes: Writes,
    private readonly users: UserRepository,
    private readonly usernames: UsernameRepository,
    private readonly clock: Clock,
  ) {}

  /** Returns the address; may be repeated. Throws `not-found` where nobody has this username now. */
  async execute(username: string): Promise<string> {
    const id = await this.usernames.ownerOf(username);
    if (id === undefined) throw notFound(`No account is called ${username}.`);
    return this.writes.run((transaction) => this.verify(id, username, transaction));
  }

  private async verify(id: string, username: string, transaction: Transaction): Promise<string> {
    const user = await this.users.lockById(id, transaction);
    // A former name leads to its owner's profile, but an operator must not mistake one account for another.
    if (!user || user.status === 'deleted' || user.username !== username) {
      throw notFound(`No account is called ${username}.`);
    }
    if (user.emailVerified) return user.email;
    const changed: User = {
      ...user,
      emailVerified: true,
      version: nextVersion(user.version, this.clock),
      updatedAt: this.clock.now(),
    };
    await this.users.save(changed, transaction);
    await publishUser(changed, transaction);
    return changed.email;
  }
}

export const verificationCommands: Readonly<Record<string, ServiceCommand>> = {
  'verify-email': {
    operands: ['<username>'],
    summary: 'takes an account’s present e-mail address for verified, so that it gets mails; safe to repeat',
    prepare:
      ({ operands: [username = ''] }) =>
      async (service) => [
        `${username}: ${await service.get(VerifyByOperator).execute(username)} counts as verified.`,
      ],
  },
};
