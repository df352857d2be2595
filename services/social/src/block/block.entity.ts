import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { BlockState } from '@pulso/contracts/social/v1/events';
import { milliseconds, safeInteger } from '@pulso/platform/postgres/column-transformers';

/** A block of one user by another, current or ended. Times are milliseconds since the epoch. */
@Entity('blocks')
export class Block {
  @PrimaryColumn('uuid', { name: 'blocker_id' })
  blockerId!: string;

  @PrimaryColumn('uuid', { name: 'blocked_id' })
  blockedId!: string;

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
  deletedAt!: number | null;

  @Column('bigint', { transformer: safeInteger })
  version!: number;
}

export function toBlockState({ blockerId, blockedId, version, deletedAt }: Block): BlockState {
  return { blockerId, blockedId, version, active: deletedAt === null };
}
