import { Entity, PrimaryColumn } from 'typeorm';
import type { UserSuspensionState } from '@pulso/contracts/social/v1/events';
import { Decision } from './decision.entity.js';

/** A moderator's decision about an account. */
@Entity('user_suspensions')
export class UserSuspension extends Decision {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;
<<<<<<< HEAD
=======

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
>>>>>>> wt-words2
}

export function toUserSuspensionState({ userId, version, active }: UserSuspension): UserSuspensionState {
  return { userId, version, suspended: active };
}
