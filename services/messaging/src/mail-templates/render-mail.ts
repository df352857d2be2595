import type { Language } from '@pulso/contracts/limits';
import { render, toPlainText } from '@react-email/render';
import type { MailKind } from '../store/mail.js';
import { nameInMails, oneLine } from './harmless-text.js';
import { MAIL_TEMPLATES } from './mail-templates.js';
import { type TemplateFacts, topicOf } from './template-facts.js';
import { en, type MailTexts } from './texts.en.js';
import { es } from './texts.es.js';

export interface MailOrder<K extends MailKind> {
  kind: K;
  facts: TemplateFacts[K];
  /** Of the receiver. */
  name: string;
  language: Language;
  publicUrl: string;
  /** Needed for mails that can be switched off. */
  unsubscribeToken: string;
}

/** A mail as its receiver reads it. */
export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
  /** A page, which also takes the mail program's POST; absent in mails about the account itself (MAIL-6). */
  unsubscribeUrl: string | undefined;
}

const TEXTS: Readonly<Record<Language, MailTexts>> = { en, es };

/** Renders a mail in the receiver's language, as text and as HTML from one source (MAIL-4). */
export async function renderMail<K extends MailKind>(order: MailOrder<K>): Promise<RenderedMail> {
  const { kind, language, publicUrl, unsubscribeToken } = order;
  const topic = topicOf(kind);
  const token = encodeURIComponent(`${topic}.${unsubscribeToken}`);
  const unsubscribeUrl = topic && `${publicUrl}/unsubscribe?token=${token}`;
  const props = {
    ...{ language, publicUrl, unsubscribeUrl, texts: TEXTS[language] },
    name: nameInMails(order.name),
    facts: withHarmlessTexts(order.facts),
  };
  const { subject, body } = MAIL_TEMPLATES[kind];
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
