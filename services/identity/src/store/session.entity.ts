import { OptionalTimeColumn, TimeColumn } from '@pulso/platform/postgres/columns';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Why a session ended: its user logged out, its user revoked it from another device or by a first sign-in at the OpenID provider or an
 * operator did, a spent token was reused, a moderator suspended the account, the account got a new password, or it was erased.
 */
export type EndReason = 'logout' | 'revoked' | 'reuse' | 'suspended' | 'password' | 'erased';

/** One sign-in on one device and the family of refresh tokens that descends from it. */
@Entity('sessions')
export class Session {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text', { name: 'user_agent' })
  userAgent!: string;

  @Column('text')
  address!: string;

  /** The newest generation of its refresh tokens that has been presented; 0 before the first refresh. */
  @Column('integer')
  generation!: number;

  /** When its user signed in. */
  @TimeColumn('created_at')
  createdAt!: number;

  /** When its user has last shown a passkey in it; null if never. */
  @OptionalTimeColumn('passkey_at')
  passkeyAt!: number | null;

  @TimeColumn('last_used_at')
  lastUsedAt!: number;

  @TimeColumn('expires_at')
  expiresAt!: number;

  @OptionalTimeColumn('ended_at')
  endedAt!: number | null;

  @Column('text', { name: 'end_reason', nullable: true })
  endReason!: EndReason | null;
}
