import { EVENTS_KEPT_MS } from '@pulso/platform/events/event-bus';

export type ModeratedSubject = 'account' | 'post' | 'comment';

/**
 * What a payer is told of a payment (MAIL-12). `secondRefunded`: a second subscription to the same coach was ended. `disputed`: a
 * dispute of it has ended the subscription.
 */
export type PaymentNotice = 'failed' | 'renewed' | 'refunded' | 'secondRefunded' | 'disputed';

/** What a user is told of the account (MAIL-13); `emailChanged` goes to the address that the account had before. */
export type AccountNotice =
  | 'verifyEmail'
  | 'resetPassword'
  | 'emailChanged'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'passwordChanged';

/** What only the mail worker can read: the `SealedNotice` of an account notice, as identity has sealed it. */
export interface SealedFacts {
  /** Missing once the mail has ended. */
  sealed: string;
  /** In milliseconds since the epoch; the mail is not sent after this time. */
  expiresAt: number;
}

/** What a row says of its mail besides its receiver. No addresses and no names: those are read when it is sent. */
export interface MailFacts {
  /** Nothing is sealed for accounts of earlier versions. */
  welcome: Partial<SealedFacts>;
  'account-notice': SealedFacts & { notice: AccountNotice };
  'new-sign-in': SealedFacts;
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

/** How many mails of a topic that may be switched off a receiver gets within 24 hours (MAIL-10). */
export const MAX_OPTIONAL_A_DAY = 50;

/** Rows are kept for much longer than an event about the same cause still makes a mail: so a cause makes one mail. */
export const ROW_KEPT_MS = 60 * DAY_MS;

/** A mail that could not be sent for so long is given up. */
export const GIVE_UP_MS = 3 * DAY_MS;

/** Whether what happened at `at` (milliseconds since the epoch) is still worth a mail: no first event is about anything older. */
export function isNews(at: number, now: number): boolean {
  return now - at < EVENTS_KEPT_MS;
}
