import { AccountNoticeKind, type AccountNoticeState } from '@pulso/contracts/identity/v1/events';
import { TimeColumn, VersionColumn } from '@pulso/platform/postgres/columns';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export const NOTICE_KINDS = {
  welcome: AccountNoticeKind.ACCOUNT_NOTICE_KIND_WELCOME,
  'verify-email': AccountNoticeKind.ACCOUNT_NOTICE_KIND_VERIFY_EMAIL,
  'reset-password': AccountNoticeKind.ACCOUNT_NOTICE_KIND_RESET_PASSWORD,
  'email-changed': AccountNoticeKind.ACCOUNT_NOTICE_KIND_EMAIL_CHANGED,
  'new-sign-in': AccountNoticeKind.ACCOUNT_NOTICE_KIND_NEW_SIGN_IN,
  'passkey-added': AccountNoticeKind.ACCOUNT_NOTICE_KIND_PASSKEY_ADDED,
  'passkey-removed': AccountNoticeKind.ACCOUNT_NOTICE_KIND_PASSKEY_REMOVED,
  'password-changed': AccountNoticeKind.ACCOUNT_NOTICE_KIND_PASSWORD_CHANGED,
} as const;
export type NoticeKind = keyof typeof NOTICE_KINDS;

/** A mail that a user is to get about the account. Never changed, and deleted once it has expired. */
@Entity('account_notices')
export class AccountNotice {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text')
  kind!: NoticeKind;

  /** For the mail worker's eyes alone; see `SealedNotice` of the contract. */
  @Column('text')
  sealed!: string;

  /** SHA-256 of the address of a mail that verifies it, to count such mails (LIMIT-18); null for the other kinds. */
  @Column('bytea', { name: 'to_hash', nullable: true })
  toHash!: Buffer | null;

  @TimeColumn('created_at')
  createdAt!: number;

  @TimeColumn('expires_at')
  expiresAt!: number;

  @VersionColumn()
  version!: number;
}

export const toAccountNoticeState = (notice: AccountNotice): AccountNoticeState => ({
  id: notice.id,
  version: notice.version,
  userId: notice.userId,
  kind: NOTICE_KINDS[notice.kind],
  sealed: notice.sealed,
  createdAt: notice.createdAt,
  expiresAt: notice.expiresAt,
});
