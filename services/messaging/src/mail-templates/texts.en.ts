import type { AccountNotice, ModeratedSubject, PaymentNotice } from '../store/mail.js';

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

/** What is said of a payment; `until` is a day, or empty. */
export interface PaymentWords {
  coach: string;
  amount: string;
  until: string;
}

export interface PaymentTexts {
  subject: (payment: PaymentWords) => string;
  body: (payment: PaymentWords) => string;
  button: string;
}

/** What is said of an account; `notYou` to whom it was none of their doing. */
export interface AccountTexts {
  /** The subject, too. */
  title: string;
  body: string;
  notYou: string;
  /** Empty where there is nothing to do. */
  button: string;
}

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const TIME = new Intl.DateTimeFormat('en-US', {
  ...{ dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' },
});
const CONFIRM = 'Confirm your email address';
const IGNORE = 'If this was not you, you can ignore this mail.';
const BANK = 'It can take 5 to 10 days until your bank shows it.';
const SEE_SUBSCRIPTIONS = 'See your subscriptions';
const SETTINGS = 'Open your settings';
const NEW_PASSWORD = 'Choose a new password';

/** The English mails. */
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
    confirm: `Please confirm within 24 hours that this address is yours. ${IGNORE}`,
    confirmButton: CONFIRM,
  },
  accountNotice: {
    verifyEmail: {
      title: CONFIRM,
      body: 'Please confirm within 24 hours that this address is yours. Your account can then use it.',
      notYou: IGNORE,
      button: CONFIRM,
    },
    resetPassword: {
      title: 'Reset your password',
      body: 'Somebody has asked for a new password for your account. The button works once, within an hour. The new password signs you out on all devices and removes your passkeys: add them again in the settings.',
      notYou: `${IGNORE} Your password stays as it is.`,
      button: NEW_PASSWORD,
    },
    emailChanged: {
      title: 'Your email address was changed',
      body: 'Your account now uses another address. You sign in with that one, and no more mails come to this one. The next change of the password removes the passkeys that were added before.',
      notYou:
        'If this was not you, somebody else may use your account. Please tell those who run Pulso at once.',
      button: '',
    },
    passkeyAdded: {
      title: 'A passkey was added to your account',
      body: 'From now on a new passkey signs in to your account.',
      notYou: 'If this was not you, remove the passkey in your settings and change your password.',
      button: SETTINGS,
    },
    passkeyRemoved: {
      title: 'A passkey was removed from your account',
      body: 'One of your passkeys does not sign in to your account any more. Your device may go on offering it.',
      notYou:
        'If this was not you, change your password. That ends all other sessions. Then add the passkey again.',
      button: SETTINGS,
    },
    passwordChanged: {
      title: 'Your password was changed',
      body: 'Your account has a new password. All other sessions have ended.',
      notYou:
        'If this was not you, choose a new password at once. It signs everybody out and removes all passkeys, yours too.',
      button: NEW_PASSWORD,
    },
  } satisfies Record<AccountNotice, AccountTexts>,
  newSignIn: {
    title: 'New sign-in to your account',
    /** Both names may be empty. */
    device: (browser: string, system: string) => {
      if (browser === '' && system === '') return 'an unknown device';
      if (browser === '') return `an unknown browser on ${system}`;
      return system === '' ? browser : `${browser} on ${system}`;
    },
    body: (device: string, time: string) =>
      `Somebody has signed in to your account with ${device}, which was not used for it before. It was on ${time} (UTC).`,
    notYou: 'If this was not you, change your password. That ends all other sessions.',
    button: SETTINGS,
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
  /** A day in UTC, written out. */
  day: (at: number) => DAY.format(at),
  /** A minute in UTC. */
  time: (at: number) => TIME.format(at),
  formerCoach: 'a coach who is no longer on Pulso',
  paymentNotice: {
    failed: {
      subject: ({ coach }) => `The payment for your subscription to ${coach} failed`,
      body: ({ coach, amount, until }) =>
        `We could not collect ${amount} for your subscription to ${coach}. You keep access until ${until}. If it is not paid by then, the subscription ends.`,
      button: 'Update payment method',
    },
    renewed: {
      subject: ({ coach }) => `Your subscription to ${coach} was renewed`,
      body: ({ coach, amount, until }) =>
        `You have paid ${amount} for your subscription to ${coach}. It is paid until ${until}.`,
      button: SEE_SUBSCRIPTIONS,
    },
    refunded: {
      subject: ({ coach }) => `A refund for your subscription to ${coach}`,
      body: ({ coach, amount }) => `We have paid back ${amount} for your subscription to ${coach}. ${BANK}`,
      button: SEE_SUBSCRIPTIONS,
    },
    secondRefunded: {
      subject: ({ coach }) => `Your second subscription to ${coach} was ended`,
      body: ({ coach, amount }) =>
        `You had two subscriptions to ${coach}. We have ended the second one and paid back all of it: ${amount}. ${BANK}`,
      button: SEE_SUBSCRIPTIONS,
    },
    disputed: {
      subject: ({ coach }) => `A disputed payment for your subscription to ${coach}`,
      body: ({ coach, amount }) =>
        `Your bank told us that you disputed the payment of ${amount} for your subscription to ${coach}. The subscription has ended, and nothing more is charged for it. If this was a mistake, please tell your bank.`,
      button: SEE_SUBSCRIPTIONS,
    },
  } satisfies Record<PaymentNotice, PaymentTexts>,
};

/** The same texts in each language. */
export type MailTexts = typeof en;
