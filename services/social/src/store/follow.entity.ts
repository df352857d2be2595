import { Entity, PrimaryColumn } from 'typeorm';
import type { FollowState } from '@pulso/contracts/social/v1/events';
import { OptionalTimeColumn, TimeColumn, VersionColumn } from '@pulso/platform/postgres/columns';

/** A follow of one user by another, active or ended. Times are milliseconds since the epoch. */
@Entity('follows')
export class Follow {
  @PrimaryColumn('uuid', { name: 'follower_id' })
  followerId!: string;

  @PrimaryColumn('uuid', { name: 'target_id' })
  targetId!: string;

  /** When the current follow, or the last one, began. */
  @TimeColumn('created_at')
  createdAt!: number;

  /** Null while the follow is active (PEOPLE-18). */
  @OptionalTimeColumn('deleted_at')
  deletedAt!: number | null;

  @VersionColumn()
  version!: number;
}

export function toFollowState({ followerId, targetId, version, deletedAt }: Follow): FollowState {
  return { followerId, targetId, version, active: deletedAt === null };
}
