import type { OptionalEmails } from '@pulso/contracts/limits';
import type { AccountNotice, MailFacts, MailKind } from '../store/mail.js';

/** What the template of each kind of mail gets, besides the name of its receiver. */
export interface TemplateFacts {
  /** Of the link that verifies the address; empty where there is none. */
  welcome: { token: string };
  /** `token`: of the link; empty in those without one. */
  'account-notice': { notice: AccountNotice; token: string };
  /** The device by its browser and system, each empty where it is not known; `at` in milliseconds since the epoch. */
  'new-sign-in': { browser: string; system: string; at: number };
  /** Names may be empty; usernames stand in for these. */
  'subscription-confirmed': { coachName: string; coachUsername: string };
  'new-subscriber': { subscriberName: string; subscriberUsername: string };
  'moderation-decision': MailFacts['moderation-decision'];
  /** Both names are empty where the coach is suspended or deleted. */
  'payment-notice': Omit<MailFacts['payment-notice'], 'coachId'> & {
    coachName: string;
    coachUsername: string;
  };
}

/** Which mails a user may switch off. The others are about the account itself, and everybody gets them (MAIL-6). */
const TOPICS: Readonly<Partial<Record<MailKind, OptionalEmails>>> = {
  'subscription-confirmed': 'subscriptions',
  'new-subscriber': 'subscriptions',
  'new-sign-in': 'security',
};

export const topicOf = (kind: MailKind): OptionalEmails | undefined => TOPICS[kind];

/** The kinds of mails that are switched off together. */
export const kindsAbout = (topic: OptionalEmails): readonly MailKind[] =>
  (Object.keys(TOPICS) as MailKind[]).filter((kind) => TOPICS[kind] === topic);
