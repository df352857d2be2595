import { Injectable } from '@nestjs/common';
import { Logger } from '@pulso/platform/logging/logger';
import type { Work } from '@pulso/platform/queue/work';
import { counter } from '@pulso/platform/telemetry/metrics';
import { backoffMs } from '@pulso/platform/time/backoff';
import { Clock } from '@pulso/platform/time/clock';
import { Registry } from 'prom-client';
import { kindsAbout, topicOf } from '../mail-templates/template-facts.js';
import { MailQueue } from '../mail/mail-queue.js';
import { DAY_MS, GIVE_UP_MS, MAX_OPTIONAL_A_DAY } from '../store/mail.js';
import { type ClaimedMail, MailRepository } from '../store/mail.repository.js';
import { AddressedMails, type NotAddressed } from './addressed-mails.js';
import { Mailer, MailError } from './mailer.js';
import { SMTP_CONNECTIONS } from './smtp-mailer.js';

/** Longer than a mail can take: the mailer gives it up after 4 minutes. */
const LEASE_MS = 5 * 60_000;
const BACKOFF = { firstMs: 60_000, longestMs: 6 * 60 * 60_000 };
/** Events about the receiver that are not here yet come within seconds. */
const SOON_MS = 5_000;

type Outcome = 'sent' | 'dropped' | 'retried' | 'refused' | 'given_up';
/** Why a mail was not sent. */
type Drop = Exclude<NotAddressed, 'unknown'> | 'too many a day';

/**
 * Sends the mails that are due (MAIL-5). A mail that was sent by a worker that was killed before it could say so is sent
 * again, with the same Message-ID. Logs have no address.
 */
@Injectable()
export class MailWork implements Work {
  readonly queue = MailQueue;
  readonly concurrency = SMTP_CONNECTIONS;
  private readonly outcomes;
  private readonly drops;

  constructor(
    private readonly mails: MailRepository,
    private readonly addressed: AddressedMails,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
    private readonly logger: Logger,
    registry: Registry,
  ) {
    this.outcomes = counter(registry, {
      name: 'pulso_mails_total',
      help: 'Attempts at sending mails by kind and outcome',
      labelNames: ['kind', 'outcome'],
    });
    this.drops = counter(registry, {
      name: 'pulso_mails_dropped_total',
      help: 'Mails that were not sent to their receivers, by kind and reason',
      labelNames: ['kind', 'reason'],
    });
  }

  due(limit: number): Promise<readonly string[]> {
    return this.mails.listDue(limit);
  }

  async perform(rowId: string): Promise<void> {
    const mail = await this.mails.claim(rowId, LEASE_MS);
    if (!mail) return;
    const found = await this.addressed.of(mail);
    if (found === 'unknown') return this.waitForEvents(mail);
    if (typeof found === 'string') return this.drop(mail, found);
    if (await this.isOneTooMany(mail)) return this.drop(mail, 'too many a day');
    try {
      await this.mailer.send(await found.write());
    } catch (error) {
      return this.failed(mail, error);
    }
    await this.mails.markSent(mail);
    this.count(mail, 'sent');
  }

  /** Where no other worker is left: what those before this one had begun is due now, not only when their claims run out. */
  takeOver(): Promise<void> {
    return this.mails.takeOver();
  }

  /**
   * Mails about the account and moderators' decisions are neither counted nor dropped: no stranger causes them (MAIL-10). Each topic
   * counts alone, so that no stranger's subscriptions keep the mails about the account's security away.
   */
  private async isOneTooMany({ kind, userId }: ClaimedMail): Promise<boolean> {
    const topic = topicOf(kind);
    if (!topic) return false;
    const since = new Date(this.clock.now() - DAY_MS);
    return (await this.mails.countSent(userId, kindsAbout(topic), since)) >= MAX_OPTIONAL_A_DAY;
  }

  private async drop(mail: ClaimedMail, reason: Drop): Promise<void> {
    await this.mails.end(mail, 'dropped', reason);
    this.drops.inc({ kind: mail.kind, reason });
    this.count(mail, 'dropped');
    if (reason !== 'expired') return;
    this.logger.warn({ ...this.factsOf(mail), reason: mail.reason }, 'a mail has expired before it was sent');
  }

  private async waitForEvents(mail: ClaimedMail): Promise<void> {
    if (this.isOver(mail)) return this.giveUp(mail, 'the receiver is not known');
    const dueAt = new Date(this.clock.now() + SOON_MS);
    await this.mails.retry(mail, { dueAt, attempts: 0, reason: 'the receiver is not known yet' });
    this.count(mail, 'retried');
  }

  private async failed(mail: ClaimedMail, error: unknown): Promise<void> {
    const reason = error instanceof MailError ? error.message : 'an error of our own';
    const facts = this.factsOf(mail, error);
    if (error instanceof MailError && error.isRefused) {
      await this.mails.end(mail, 'failed', reason);
      this.count(mail, 'refused');
      this.logger.warn(facts, 'a mail was refused for good and will not be sent');
      return;
    }
    if (this.isOver(mail)) return this.giveUp(mail, reason, facts);
    const pause = backoffMs(mail.attempts, BACKOFF);
    // Mails that failed together are not tried again together.
    const dueAt = new Date(this.clock.now() + Math.round(pause * (0.8 + 0.2 * Math.random())));
    await this.mails.retry(mail, { dueAt, attempts: mail.attempts, reason });
    this.count(mail, 'retried');
    this.logger.warn({ ...facts, dueAt }, 'a mail could not be sent and is tried again');
  }

  private async giveUp(mail: ClaimedMail, reason: string, facts: object = this.factsOf(mail)): Promise<void> {
    await this.mails.end(mail, 'failed', reason);
    this.count(mail, 'given_up');
    this.logger.error({ ...facts, reason }, 'a mail is given up: it could not be sent for 3 days');
  }

  private isOver({ createdAt }: ClaimedMail): boolean {
    return this.clock.now() - createdAt.getTime() >= GIVE_UP_MS;
  }

  private factsOf({ _id: mail, kind, attempts }: ClaimedMail, error?: unknown): object {
    if (!(error instanceof MailError))
      return { mail, kind, attempts, ...(error !== undefined && { err: error }) };
    const { code, responseCode } = error;
    return { mail, kind, attempts, code, responseCode };
  }

  private count({ kind }: ClaimedMail, outcome: Outcome): void {
    this.outcomes.inc({ kind, outcome });
  }
}
