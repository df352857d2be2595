import type { OptionalEmails } from '@pulso/contracts/limits';
import { inForm } from '@pulso/platform/text/text-rules';
import type { MailFacts } from '../store/mail.js';

/** What each kind of letter says, besides the name of its receiver. */
export interface LetterFacts {
  welcome: MailFacts['welcome'];
  /** Names may be empty; usernames stand in for these. */
  'subscription-confirmed': { coachName: string; coachUsername: string };
  'new-subscriber': { subscriberName: string; subscriberUsername: string };
  'moderation-decision': MailFacts['moderation-decision'];
}

export type LetterKind = keyof LetterFacts;

/** Which letters a user may switch off; of the others nobody is spared: they are about the account itself (MAIL-6). */
const TOPICS: Readonly<Partial<Record<LetterKind, OptionalEmails>>> = {
  'subscription-confirmed': 'subscriptions',
  'new-subscriber': 'subscriptions',
};

/** The kinds of letters that may be switched off. */
export const OPTIONAL_KINDS = Object.keys(TOPICS) as readonly LetterKind[];

export const topicOf = (kind: LetterKind): OptionalEmails | undefined => TOPICS[kind];

// With the u flag, only lone surrogates match.
const LONE_SURROGATE = /\p{Surrogate}/gu;
// U+FE0F is part of many emoji.
const INVISIBLE = /(?!\uFE0F)[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{White_Space}]+/gu;

/**
 * A text of a user on one line: without line breaks, which would end a header, without characters that change the direction
 * of what follows, and without invisible ones.
 */
export function oneLine(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd').replace(INVISIBLE, '').replace(CONTROL, ' ').trim();
}

/** What mail programs make a link of, and what is close to it: `a/b`, `a@b`, `www.`, `a.bc`, `1.2.3.4`. */
const ADDRESS = /[/@]|www\.|[^\s.]\.\p{L}[\p{L}\p{M}]|\d+(\.\d+){3}/iu;
/** Dots of other scripts, which addresses may have in place of the full stop (UTS 46). */
const DOTS = /[\u3002\uff61]/gu;

/**
 * A name as letters repeat it: on one line, and empty where it may be taken for an address. Anybody may give an account a name
 * and a stranger's e-mail address, and Pulso must not mail a stranger's link (MAIL-4).
 */
export function nameInLetters(name: string): string {
  const line = oneLine(name);
  // Wide letters, signs and dots are those of addresses once they are typed or clicked.
  return ADDRESS.test(inForm('NFKC', line).replace(DOTS, '.')) ? '' : line;
}
