import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FollowState } from '@pulso/contracts/social/v1/events';
import { milliseconds, safeInteger } from '@pulso/platform/postgres/column-transformers';

/** A follow of one user by another, active or ended. Times are milliseconds since the epoch. */
@Entity('follows')
export class Follow {
  @PrimaryColumn('uuid', { name: 'follower_id' })
  followerId!: string;

  @PrimaryColumn('uuid', { name: 'target_id' })
  targetId!: string;

  /** When the current follow, or the last one, began. */
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, transformer: milliseconds })
  createdAt!: number;

  /** Null while the follow is active (PEOPLE-18). */
  @Column({
    type: 'timestamptz',
    name: 'deleted_at',
    precision: 3,
    nullable: true,
    transformer: milliseconds,
  })
  deletedAt!: number | null;

  @Column('bigint', { transformer: safeInteger })
  version!: number;
}

export function toFollowState({ followerId, targetId, version, deletedAt }: Follow): FollowState {
  return { followerId, targetId, version, active: deletedAt === null };
}
