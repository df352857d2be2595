import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PollingLoop } from '@pulso/platform/jobs/polling-loop';
import { Logger } from '@pulso/platform/logging/logger';
import { Writes } from '@pulso/platform/postgres/writes';
import { Registry } from 'prom-client';
import { AccountNotices } from '../store/account-notices.js';
import { newActionToken } from '../store/action-token.js';
import { ActionTokens } from '../store/action-tokens.js';
import { PasswordResets } from '../store/password-resets.js';
import { UserRepository } from '../store/user.repository.js';

/** Requests nudge the job: so late are those of a process that has ended before it has handled them. */
const POLL_MS = 10_000;
const BACKOFF = { firstMs: 1_000, longestMs: POLL_MS };

/**
 * Sends the links to a new password that people have asked for (ACCT-10). An address of no account, or of a suspended one, gets
 * nothing. A request is ended in the transaction that writes its mail, so a crash delays it and repeats nothing.
 */
@Injectable()
export class SendResetMails implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: PollingLoop;

  constructor(
    private readonly requests: PasswordResets,
    private readonly users: UserRepository,
    private readonly notices: AccountNotices,
    private readonly tokens: ActionTokens,
    private readonly writes: Writes,
    logger: Logger,
    registry: Registry,
  ) {
    this.loop = new PollingLoop({
      name: 'mails of forgotten passwords',
      everyMs: POLL_MS,
      work: (stopping) => this.execute(stopping),
      backoff: BACKOFF,
      logger,
      ref: false,
      registry,
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
    this.loop.nudge();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  nudge(): void {
    this.loop.nudge();
  }

  async execute(stopping?: AbortSignal): Promise<void> {
    while (!stopping?.aborted) {
      const email = await this.requests.next();
      if (email === undefined) return;
      await this.handle(email);
    }
  }

  private async handle(email: string): Promise<void> {
    const account = await this.users.findByEmail(email);
    const link = account && (await this.newLink(email));
    await this.writes.run(async (transaction) => {
      // The user's row first, as in every transaction that has both.
      const user = account && (await this.users.lockById(account.id, transaction));
      if (!(await this.requests.take(email, transaction))) return;
      if (!link || user?.status !== 'active' || user.email !== email) return;
      await this.tokens.put('reset-password', { userId: user.id, email, hash: link.hash }, transaction);
      await this.notices.tell(user.id, link.mail, transaction);
    });
  }

  private async newLink(email: string) {
    const { token, hash } = newActionToken();
    return { hash, mail: await this.notices.seal('reset-password', { to: email, token }) };
  }
}
