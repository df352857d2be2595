import { Injectable } from '@nestjs/common';
import { AccountNoticeKind, type AccountNoticeState } from '@pulso/contracts/identity/v1/events';
import { accountNoticeTopic } from '@pulso/contracts/topics/identity';
import type { Reaction } from '@pulso/platform/events/projection';
import { Clock } from '@pulso/platform/time/clock';
import type { AccountNotice, Mail } from '../store/mail.js';
import { MailWriter } from './mail-writer.js';

const NOTICE: Readonly<Partial<Record<AccountNoticeKind, AccountNotice>>> = {
  [AccountNoticeKind.ACCOUNT_NOTICE_KIND_VERIFY_EMAIL]: 'verifyEmail',
  [AccountNoticeKind.ACCOUNT_NOTICE_KIND_RESET_PASSWORD]: 'resetPassword',
  [AccountNoticeKind.ACCOUNT_NOTICE_KIND_EMAIL_CHANGED]: 'emailChanged',
  [AccountNoticeKind.ACCOUNT_NOTICE_KIND_PASSKEY_ADDED]: 'passkeyAdded',
  [AccountNoticeKind.ACCOUNT_NOTICE_KIND_PASSKEY_REMOVED]: 'passkeyRemoved',
  [AccountNoticeKind.ACCOUNT_NOTICE_KIND_PASSWORD_CHANGED]: 'passwordChanged',
};

/** Tells users of their accounts, once a notice (MAIL-13), and welcomes them, once an account (MAIL-1). */
@Injectable()
export class AccountMails implements Reaction<AccountNoticeState> {
  readonly name = 'account-mails';
  readonly topic = accountNoticeTopic;

  constructor(
    private readonly writer: MailWriter,
    private readonly clock: Clock,
  ) {}

  /** Throws for a kind that this version does not know. */
  async handle(state: AccountNoticeState): Promise<void> {
    const { id, userId, expiresAt } = state;
    if (expiresAt <= this.clock.now()) return;
    const mail = mailOf(state);
    await this.writer.write(mail.kind === 'welcome' ? welcomeKey(userId) : `account_${id}`, mail);
  }
}

/** The once-key of the account's welcome, whichever event causes it. */
export const welcomeKey = (userId: string): string => `welcome_${userId}`;

function mailOf({ userId, kind, sealed, expiresAt }: AccountNoticeState): Mail {
  const facts = { sealed, expiresAt };
  if (kind === AccountNoticeKind.ACCOUNT_NOTICE_KIND_WELCOME) return { kind: 'welcome', userId, facts };
  if (kind === AccountNoticeKind.ACCOUNT_NOTICE_KIND_NEW_SIGN_IN)
    return { kind: 'new-sign-in', userId, facts };
  const notice = NOTICE[kind];
  if (!notice) throw new Error(`not a kind of account notice: ${kind}`);
  return { kind: 'account-notice', userId, facts: { ...facts, notice } };
}
