import type { Language } from '@pulso/contracts/limits';
import { TimeColumn, VersionColumn } from '@pulso/platform/postgres/columns';
import { Column, Entity, PrimaryColumn, VirtualColumn } from 'typeorm';
import { type FormerUsername, formerUsernames } from './former-username.js';
import { type Price, shownPrice } from './price.js';

export type UserStatus = 'active' | 'suspended' | 'deleted';

/** An account with its profile. Times are milliseconds since the epoch. */
@Entity('users')
export class User {
  @PrimaryColumn('uuid')
  id!: string;

  /** Trimmed and lower-cased. */
  @Column('text')
  email!: string;

  /** A new address that takes effect after verification. */
  @Column('text', { name: 'pending_email', nullable: true })
  pendingEmail!: string | null;

  @Column('boolean', { name: 'email_verified' })
  emailVerified!: boolean;

  /** argon2id in PHC form; null for users who sign in with another provider only. */
  @Column('text', { name: 'password_hash', nullable: true })
  passwordHash!: string | null;

  @Column('text')
  name!: string;

  @Column('text')
  username!: string;

  /** Read with the row; `UsernameRepository` writes them. */
  @VirtualColumn({ type: 'json', query: formerUsernames })
  formerUsernames!: FormerUsername[];

  @Column('text')
  bio!: string;

  @Column('text', { array: true })
  specialties!: string[];

  @Column('boolean', { name: 'is_coach' })
  isCoach!: boolean;

  /** As it is shown (SUBS-4), read with the row; `PriceIntents` writes it. Null if none was ever set. */
  @VirtualColumn({ type: 'json', query: shownPrice })
  price!: Price | null;

  @Column('uuid', { name: 'profile_image_id', nullable: true })
  profileImageId!: string | null;

  @Column('text')
  status!: UserStatus;

  @Column('text')
  language!: Language;

  /** Whether confirmations and news of subscriptions are mailed. */
  @Column('boolean', { name: 'wants_subscription_mails' })
  wantsSubscriptionMails!: boolean;

  /** Whether sign-ins from new devices are mailed. */
  @Column('boolean', { name: 'wants_security_mails' })
  wantsSecurityMails!: boolean;

  /** Whoever has it may switch these mails off; see `newUnsubscribeToken`. */
  @Column('text', { name: 'unsubscribe_token' })
  unsubscribeToken!: string;

  /** Whether an account notice has welcomed them; their contact welcomes those of earlier versions (MAIL-1). */
  @Column('boolean', { name: 'welcomed_by_notice' })
  welcomedByNotice!: boolean;

  /** Of the published states; see `nextVersion`. */
  @VersionColumn()
  version!: number;

  @TimeColumn('created_at')
  createdAt!: number;

  @TimeColumn('updated_at')
  updatedAt!: number;
}
