import { randomBytes } from 'node:crypto';
import type { OptionalEmails } from '@pulso/contracts/limits';
import type { User } from './user.entity.js';

/** The field of a user that says whether they want mails of a kind. */
export const WISH_FIELDS = {
  subscriptions: 'wantsSubscriptionMails',
  security: 'wantsSecurityMails',
} as const satisfies Record<OptionalEmails, keyof User>;

const TOKEN_BYTES = 16;
const LINK_TOKEN = /^([a-z]+)\.([A-Za-z0-9_-]{22})$/;

/** 128 random bits as base64url. */
export function newUnsubscribeToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** The parts of the token in an unsubscribe link: a kind of mails, a dot, the user's token. Undefined for any other text. */
export function readLinkToken(text: string): { emails: OptionalEmails; token: string } | undefined {
  const [, emails = '', token = ''] = LINK_TOKEN.exec(text) ?? [];
  return Object.hasOwn(WISH_FIELDS, emails) ? { emails: emails as OptionalEmails, token } : undefined;
}
