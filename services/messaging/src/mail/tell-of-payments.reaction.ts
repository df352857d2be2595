import { Injectable } from '@nestjs/common';
import { PaymentNoticeKind, type PaymentNoticeState } from '@pulso/contracts/billing/v1/events';
import { paymentNoticeTopic } from '@pulso/contracts/topics/billing';
import type { Reaction } from '@pulso/platform/events/projection';
import { Clock } from '@pulso/platform/time/clock';
import { isNews, type PaymentNotice } from '../store/mail.js';
import { MailWriter } from './mail-writer.js';

const NOTICE: Readonly<Partial<Record<PaymentNoticeKind, PaymentNotice>>> = {
  [PaymentNoticeKind.PAYMENT_NOTICE_KIND_FAILED]: 'failed',
  [PaymentNoticeKind.PAYMENT_NOTICE_KIND_RENEWED]: 'renewed',
  [PaymentNoticeKind.PAYMENT_NOTICE_KIND_REFUNDED]: 'refunded',
  [PaymentNoticeKind.PAYMENT_NOTICE_KIND_SECOND_REFUNDED]: 'secondRefunded',
  [PaymentNoticeKind.PAYMENT_NOTICE_KIND_DISPUTED]: 'disputed',
};

/** Tells payers of their payments, once a notice (MAIL-12). */
@Injectable()
export class TellOfPayments implements Reaction<PaymentNoticeState> {
  readonly name = 'payment-mails';
  readonly topic = paymentNoticeTopic;

  constructor(
    private readonly writer: MailWriter,
    private readonly clock: Clock,
  ) {}

  /** Throws for a kind that this version does not know. */
  async handle(state: PaymentNoticeState): Promise<void> {
    const { id, userId, coachId, at, amountMinor, currency, until = null } = state;
    if (!isNews(at, this.clock.now())) return;
    const notice = NOTICE[state.kind];
    if (!notice) throw new Error(`not a kind of payment notice: ${state.kind}`);
    const kind = 'payment-notice';
    const facts = { notice, coachId, amountMinor, currency, until };
    await this.writer.write(`${kind}_${id}`, { kind, userId, facts });
  }
}
