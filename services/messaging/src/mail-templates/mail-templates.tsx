import type { ReactElement } from 'react';
import { Layout, type LayoutProps, Paragraph } from './layout.js';
import { type LetterFacts, type LetterKind, nameInLetters } from './mail-template.js';

/** What every letter is written with. */
export interface LetterProps<K extends LetterKind> extends Pick<
  LayoutProps,
  'language' | 'texts' | 'name' | 'unsubscribeUrl'
> {
  facts: LetterFacts[K];
  publicUrl: string;
}

export interface LetterTemplate<K extends LetterKind> {
  subject(props: LetterProps<K>): string;
  body(props: LetterProps<K>): ReactElement;
}

const profile = (publicUrl: string, username: string) => `${publicUrl}/${encodeURIComponent(username)}`;

/** How a letter calls somebody else: a username never looks like an address. */
const called = (name: string, username: string) => nameInLetters(name) || username;

/** All letters, by kind. */
export const LETTERS: { readonly [K in LetterKind]: LetterTemplate<K> } = {
  welcome: {
    subject: ({ texts }) => texts.welcome.subject,
    body: ({ publicUrl, ...page }) => {
      const { title, body, button: label } = page.texts.welcome;
      return (
        <Layout {...page} title={title} preview={body} action={{ label, url: `${publicUrl}/feed` }}>
          <Paragraph>{body}</Paragraph>
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
};
