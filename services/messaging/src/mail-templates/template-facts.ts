import type { OptionalEmails } from '@pulso/contracts/limits';
import type { MailFacts, MailKind } from '../store/mail.js';

/** What the template of each kind of mail gets, besides the name of its receiver. */
export interface TemplateFacts {
  welcome: MailFacts['welcome'];
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
};

/** The kinds of mails that may be switched off. */
export const OPTIONAL_KINDS = Object.keys(TOPICS) as readonly MailKind[];

export const topicOf = (kind: MailKind): OptionalEmails | undefined => TOPICS[kind];
