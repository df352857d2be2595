import { Entity, PrimaryColumn } from 'typeorm';
import type { UserSuspensionState } from '@pulso/contracts/social/v1/events';
import { Decision } from './decision.entity.js';

/** A moderator's decision about an account. */
@Entity('user_suspensions')
export class UserSuspension extends Decision {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;
}

export function toUserSuspensionState(suspension: UserSuspension): UserSuspensionState {
  const { userId, version, active, reason, decidedAt } = suspension;
  return { userId, version, suspended: active, reason, decidedAt };
}
