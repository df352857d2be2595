import { Injectable } from '@nestjs/common';
import { Clock } from '@pulso/platform/time/clock';
import { isNews, type Mail } from '../store/mail.js';
import { MailWriter } from './mail-writer.js';

/** The beginning of a period of access. */
export interface SubscriptionStart {
  userId: string;
  coachId: string;
  /** When it began: subscribing again is another beginning. */
  at: Date;
}

/** Tells both sides of a new subscription, once each (MAIL-2). */
@Injectable()
export class SubscriptionMails {
  constructor(
    private readonly writer: MailWriter,
    private readonly clock: Clock,
  ) {}

  /** Idempotent. */
  async write({ userId, coachId, at }: SubscriptionStart): Promise<void> {
    if (!isNews(at.getTime(), this.clock.now())) return;
    const key = `${userId}_${coachId}_${at.getTime()}`;
    const [confirmed, announced] = ['subscription-confirmed', 'new-subscriber'] as const;
    await this.writer.writeAll(
      new Map<string, Mail>([
        [`${confirmed}_${key}`, { kind: confirmed, userId, facts: { coachId } }],
        [`${announced}_${key}`, { kind: announced, userId: coachId, facts: { subscriberId: userId } }],
      ]),
    );
  }
}
