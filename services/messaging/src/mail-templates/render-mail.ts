import type { Language } from '@pulso/contracts/limits';
import { render, toPlainText } from '@react-email/render';
import { type LetterFacts, type LetterKind, nameInLetters, oneLine, topicOf } from './mail-template.js';
import { LETTERS } from './mail-templates.js';
import { en, type LetterTexts } from './texts.en.js';
import { es } from './texts.es.js';

export interface LetterOrder<K extends LetterKind> {
  kind: K;
  facts: LetterFacts[K];
  /** Of the receiver. */
  name: string;
  language: Language;
  publicUrl: string;
  /** Needed for mails that can be switched off. */
  unsubscribeToken: string;
}

/** A mail as its receiver reads it. */
export interface Letter {
  subject: string;
  text: string;
  html: string;
  /** A page, which also takes the mail program's POST; absent in mails about the account itself (MAIL-6). */
  unsubscribeUrl: string | undefined;
}

const TEXTS: Readonly<Record<Language, LetterTexts>> = { en, es };

/** Writes a letter in the receiver's language, as text and as HTML from one source (MAIL-4). */
export async function renderLetter<K extends LetterKind>(order: LetterOrder<K>): Promise<Letter> {
  const { kind, language, publicUrl, unsubscribeToken } = order;
  const topic = topicOf(kind);
  const token = encodeURIComponent(`${topic}.${unsubscribeToken}`);
  const unsubscribeUrl = topic && `${publicUrl}/unsubscribe?token=${token}`;
  const props = {
    ...{ language, publicUrl, unsubscribeUrl, texts: TEXTS[language] },
    name: nameInLetters(order.name),
    facts: withHarmlessTexts(order.facts),
  };
  const { subject, body } = LETTERS[kind];
  const html = await render(body(props));
  return { subject: subject(props), html, text: toPlainText(html, TEXT_OPTIONS), unsubscribeUrl };
}

/** Headings as they are, not in capitals; the address of each link stands behind it. */
const TEXT_OPTIONS = { selectors: [{ selector: 'h1', options: { uppercase: false } }] };

/** Facts hold names that users chose and what browsers say of themselves. */
function withHarmlessTexts<F extends object>(facts: F): F {
  const clean = Object.entries(facts).map(([key, value]: [string, unknown]) => {
    return [key, typeof value === 'string' ? oneLine(value) : value];
  });
  return Object.fromEntries(clean) as F;
}
