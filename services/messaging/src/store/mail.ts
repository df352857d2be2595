import { EVENTS_KEPT_MS } from '@pulso/platform/events/event-bus';

export type ModeratedSubject = 'account' | 'post' | 'comment';

/**
 * What a payer is told of a payment (MAIL-12). `secondRefunded`: a second subscription to the same coach was ended. `disputed`: a
 * dispute of it has ended the subscription.
 */
export type PaymentNotice = 'failed' | 'renewed' | 'refunded' | 'secondRefunded' | 'disputed';

/** What a row says of its mail besides its receiver. No addresses and no names: those are read when it is sent. */
export interface MailFacts {
  welcome: Record<never, never>;
  'subscription-confirmed': { coachId: string };
  'new-subscriber': { subscriberId: string };
  'moderation-decision': { subject: ModeratedSubject; isHidden: boolean; reason: string };
  /** Money in minor units; `until` in milliseconds since the epoch, null where nothing is said of a time. */
  'payment-notice': {
    notice: PaymentNotice;
    coachId: string;
    amountMinor: number;
    currency: string;
    until: number | null;
  };
}

/** The kinds of mails that events cause. */
export type MailKind = keyof MailFacts;

/** A mail of a kind with the facts of that kind. */
export type Mail = {
  [K in MailKind]: {
    kind: K;
    /** The receiver. */
    userId: string;
    facts: MailFacts[K];
  };
}[MailKind];

export const DAY_MS = 24 * 60 * 60_000;

/** How many mails that may be switched off a receiver gets within 24 hours (MAIL-10). */
export const MAX_OPTIONAL_A_DAY = 50;

/** Rows are kept for much longer than an event about the same cause still makes a mail: so a cause makes one mail. */
export const ROW_KEPT_MS = 60 * DAY_MS;

/** A mail that could not be sent for so long is given up. */
export const GIVE_UP_MS = 3 * DAY_MS;

/** Whether what happened at `at` (milliseconds since the epoch) is still worth a mail: no first event is about anything older. */
export function isNews(at: number, now: number): boolean {
  return now - at < EVENTS_KEPT_MS;
}
