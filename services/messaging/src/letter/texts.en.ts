import type { ModeratedSubject } from '../mail/mail.js';

const SUBJECTS: Readonly<Record<ModeratedSubject, string>> = {
  account: 'account',
  post: 'post',
  comment: 'comment',
};

/** The reasons of a decision, as reports have them. */
const REASONS: Readonly<Record<string, string>> = {
  spam: 'Spam',
  harassment: 'Harassment',
  nudity: 'Nudity',
  danger: 'Danger',
};

const WHEN = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** The English letters. */
export const en = {
  tagline: 'Pulso, the social network for fitness',
  hello: (name: string) => `Hello ${name},`,
  someone: 'there',
  unsubscribe: 'Unsubscribe from mails like this',
  accountMail: 'You get this mail because it is about your account.',
  orOpen: 'If the button does not work, open this address:',
  welcome: {
    subject: 'Welcome to Pulso',
    title: 'Welcome to Pulso',
    body: 'Your account is ready. Follow people who train like you, write your first post, and find a coach.',
    button: 'Open your feed',
  },
  subscriptionConfirmed: {
    subject: (coach: string) => `You are subscribed to ${coach}`,
    title: 'Your subscription is active',
    body: (coach: string) =>
      `You are now subscribed to ${coach}. You can read the posts that ${coach} writes for subscribers.`,
    button: (coach: string) => `See ${coach}’s profile`,
  },
  newSubscriber: {
    subject: (subscriber: string) => `New subscriber: ${subscriber}`,
    title: 'New subscriber',
    body: (subscriber: string) =>
      `${subscriber} has subscribed to you and can now read your posts for subscribers.`,
    button: (subscriber: string) => `See ${subscriber}’s profile`,
  },
  verifyEmail: {
    subject: 'Verify your e-mail address',
    title: 'Verify your e-mail address',
    body: 'Please confirm that this address is yours.',
    button: 'Verify the address',
    otherwise: 'If you have not asked for this, you need not do anything.',
  },
  resetPassword: {
    subject: 'Reset your password',
    title: 'Reset your password',
    body: 'Somebody, probably you, has asked for a new password for your account. The link works once and for a short time.',
    button: 'Choose a new password',
    otherwise: 'If you have not asked for this, you need not do anything: your password stays as it is.',
  },
  emailChanged: {
    subject: 'Your e-mail address was changed',
    title: 'Your e-mail address was changed',
    body: 'Your account now has another e-mail address. Mails about it no longer go to this one.',
    otherwise: 'If this was not you, reset your password at once.',
    button: 'Reset the password',
  },
  newDevice: {
    subject: 'New sign-in to your account',
    title: 'New sign-in to your account',
    body: (device: string, at: number) =>
      `Somebody has signed in to your account on ${device}, on ${WHEN.format(at)} UTC.`,
    otherwise: 'If this was you, you need not do anything. If not, reset your password at once.',
    button: 'Reset the password',
  },
  moderationDecision: {
    subject: (subject: ModeratedSubject, isHidden: boolean) =>
      `Your ${SUBJECTS[subject]} was ${subject === 'account' ? (isHidden ? 'suspended' : 'reinstated') : isHidden ? 'hidden' : 'shown again'}`,
    body: {
      account: {
        hidden:
          'A moderator has suspended your account. You cannot sign in, and others do not see what you wrote.',
        shown: 'A moderator has reinstated your account. You can sign in again.',
      },
      post: {
        hidden: 'A moderator has hidden a post of yours. Nobody else sees it.',
        shown: 'A moderator shows a post of yours again.',
      },
      comment: {
        hidden: 'A moderator has hidden a comment of yours. Nobody else sees it.',
        shown: 'A moderator shows a comment of yours again.',
      },
    } satisfies Record<ModeratedSubject, object>,
    reason: (reason: string) => `Reason: ${REASONS[reason] ?? 'Something else'}.`,
  },
};

/** The same texts in each language. */
export type LetterTexts = typeof en;
