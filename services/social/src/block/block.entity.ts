import { Entity, PrimaryColumn } from 'typeorm';
import type { BlockState } from '@pulso/contracts/social/v1/events';
import { OptionalTimeColumn, TimeColumn, VersionColumn } from '@pulso/platform/postgres/columns';

/** A block of one user by another, current or ended. Times are milliseconds since the epoch. */
@Entity('blocks')
export class Block {
  @PrimaryColumn('uuid', { name: 'blocker_id' })
  blockerId!: string;

  @PrimaryColumn('uuid', { name: 'blocked_id' })
  blockedId!: string;

<<<<<<< HEAD
  /** When the present block, or the last one, began. */
  @TimeColumn('created_at')
  createdAt!: number;

  /** Null while the block stands. */
  @OptionalTimeColumn('deleted_at')
=======
  /** When the current block, or the last one, began. */
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, transformer: milliseconds })
  createdAt!: number;

  /** Null while the block is active. */
  @Column({
    type: 'timestamptz',
    name: 'deleted_at',
    precision: 3,
    nullable: true,
    transformer: milliseconds,
  })
>>>>>>> wt-words2
  deletedAt!: number | null;

  @VersionColumn()
  version!: number;
}

export function toBlockState({ blockerId, blockedId, version, deletedAt }: Block): BlockState {
  return { blockerId, blockedId, version, active: deletedAt === null };
}
