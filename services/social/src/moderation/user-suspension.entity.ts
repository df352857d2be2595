import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { UserSuspensionState } from '@pulso/contracts/social/v1/events';
import { milliseconds, safeInteger } from '@pulso/platform/postgres/column-transformers';

/** A moderator's decision about an account. */
@Entity('user_suspensions')
export class UserSuspension {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  /** False once the decision was revoked. */
  @Column('boolean')
  active!: boolean;

  @Column('text', { name: 'decided_by' })
  decidedBy!: string;

  /** Milliseconds since the epoch. */
  @Column({ type: 'timestamptz', name: 'decided_at', precision: 3, transformer: milliseconds })
  decidedAt!: number;

  @Column('bigint', { transformer: safeInteger })
  version!: number;
}

export function toUserSuspensionState({ userId, version, active }: UserSuspension): UserSuspensionState {
  return { userId, version, suspended: active };
}
