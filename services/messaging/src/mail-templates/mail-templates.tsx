import { shownMoney } from '@pulso/contracts/payments';
import type { ReactElement } from 'react';
import type { AccountNotice, MailKind } from '../store/mail.js';
import { nameInMails } from './harmless-text.js';
import { Layout, type LayoutProps, Paragraph } from './layout.js';
import type { TemplateFacts } from './template-facts.js';
import type { MailTexts, PaymentWords } from './texts.en.js';

/** What every mail is written with. */
export interface TemplateProps<K extends MailKind> extends Pick<
  LayoutProps,
  'language' | 'texts' | 'name' | 'unsubscribeUrl'
> {
  facts: TemplateFacts[K];
  publicUrl: string;
}

export interface MailTemplate<K extends MailKind> {
  subject(props: TemplateProps<K>): string;
  body(props: TemplateProps<K>): ReactElement;
}

const profile = (publicUrl: string, username: string) => `${publicUrl}/${encodeURIComponent(username)}`;

/** The page that a mail leads to, with the mail's token where it has one (MAIL-3); a former address is only told. */
const LINKED = {
  verifyEmail: 'verify-email',
  resetPassword: 'reset-password',
  emailChanged: undefined,
  passkeyAdded: 'settings',
  passkeyRemoved: 'settings',
  passwordChanged: 'forgot-password',
} as const satisfies Record<AccountNotice, string | undefined>;

const linkTo = (publicUrl: string, path: 'verify-email' | 'reset-password', token: string) =>
  `${publicUrl}/${path}?token=${encodeURIComponent(token)}`;

/** How a mail calls somebody else: a username never looks like an address. */
const called = (name: string, username: string) => nameInMails(name) || username;

/** A payment as its texts say it. */
function payment(texts: MailTexts, facts: TemplateFacts['payment-notice']): PaymentWords {
  const { coachName, coachUsername, amountMinor, currency, until } = facts;
  return {
    coach: called(coachName, coachUsername) || texts.formerCoach,
    amount: shownMoney(amountMinor, currency),
    until: until === null ? '' : texts.day(until),
  };
}

/** All templates, by kind. */
export const MAIL_TEMPLATES: { readonly [K in MailKind]: MailTemplate<K> } = {
  welcome: {
    subject: ({ texts }) => texts.welcome.subject,
    body: ({ publicUrl, facts: { token }, ...page }) => {
      const { title, body, button, confirm, confirmButton } = page.texts.welcome;
      const action = token
        ? { label: confirmButton, url: linkTo(publicUrl, 'verify-email', token) }
        : { label: button, url: `${publicUrl}/feed` };
      return (
        <Layout {...page} title={title} preview={body} action={action}>
          <Paragraph>{body}</Paragraph>
          {token && <Paragraph>{confirm}</Paragraph>}
        </Layout>
      );
    },
  },
  'account-notice': {
    subject: ({ texts, facts: { notice } }) => texts.accountNotice[notice].title,
    body: ({ publicUrl, facts: { notice, token }, ...page }) => {
      const { title, body, notYou, button: label } = page.texts.accountNotice[notice];
      const path = LINKED[notice];
      const hasToken = path === 'verify-email' || path === 'reset-password';
      const url = hasToken ? linkTo(publicUrl, path, token) : path && `${publicUrl}/${path}`;
      const action = url === undefined ? undefined : { label, url };
      return (
        <Layout {...page} title={title} preview={body} action={action}>
          <Paragraph>{body}</Paragraph>
          <Paragraph>{notYou}</Paragraph>
        </Layout>
      );
    },
  },
  'new-sign-in': {
    subject: ({ texts }) => texts.newSignIn.title,
    body: ({ publicUrl, facts: { browser, system, at }, ...page }) => {
      const { title, device, body, notYou, button: label } = page.texts.newSignIn;
      const told = body(device(browser, system), page.texts.time(at));
      return (
        <Layout {...page} title={title} preview={told} action={{ label, url: `${publicUrl}/settings` }}>
          <Paragraph>{told}</Paragraph>
          <Paragraph>{notYou}</Paragraph>
        </Layout>
      );
    },
  },
  'subscription-confirmed': {
    subject: ({ texts, facts: { coachName, coachUsername } }) =>
      texts.subscriptionConfirmed.subject(called(coachName, coachUsername)),
    body: ({ publicUrl, facts: { coachName, coachUsername }, ...page }) => {
      const { title, body, button } = page.texts.subscriptionConfirmed;
      const coach = called(coachName, coachUsername);
      const action = { label: button(coach), url: profile(publicUrl, coachUsername) };
      return (
        <Layout {...page} title={title} preview={body(coach)} action={action}>
          <Paragraph>{body(coach)}</Paragraph>
        </Layout>
      );
    },
  },
  'new-subscriber': {
    subject: ({ texts, facts: { subscriberName, subscriberUsername } }) =>
      texts.newSubscriber.subject(called(subscriberName, subscriberUsername)),
    body: ({ publicUrl, facts: { subscriberName, subscriberUsername }, ...page }) => {
      const { title, body, button } = page.texts.newSubscriber;
      const subscriber = called(subscriberName, subscriberUsername);
      const action = { label: button(subscriber), url: profile(publicUrl, subscriberUsername) };
      return (
        <Layout {...page} title={title} preview={body(subscriber)} action={action}>
          <Paragraph>{body(subscriber)}</Paragraph>
        </Layout>
      );
    },
  },
  'moderation-decision': {
    subject: ({ texts, facts }) => texts.moderationDecision.subject(facts.subject, facts.isHidden),
    body: ({ facts: { subject, isHidden, reason }, ...page }) => {
      const texts = page.texts.moderationDecision;
      const body = texts.body[subject][isHidden ? 'hidden' : 'shown'];
      return (
        <Layout {...page} title={texts.subject(subject, isHidden)} preview={body}>
          <Paragraph>{body}</Paragraph>
          {isHidden && <Paragraph>{texts.reason(reason)}</Paragraph>}
        </Layout>
      );
    },
  },
  'payment-notice': {
    subject: ({ texts, facts }) => texts.paymentNotice[facts.notice].subject(payment(texts, facts)),
    body: ({ publicUrl, facts, ...page }) => {
      const { subject, body, button: label } = page.texts.paymentNotice[facts.notice];
      const paid = payment(page.texts, facts);
      const action = { label, url: `${publicUrl}/subscriptions` };
      return (
        <Layout {...page} title={subject(paid)} preview={body(paid)} action={action}>
          <Paragraph>{body(paid)}</Paragraph>
        </Layout>
      );
    },
  },
};
