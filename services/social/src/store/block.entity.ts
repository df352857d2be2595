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

  /** When the current block, or the last one, began. */
  @TimeColumn('created_at')
  createdAt!: number;

  /** Null while the block is active. */
  @OptionalTimeColumn('deleted_at')
  deletedAt!: number | null;

  @VersionColumn()
  version!: number;
}

export function toBlockState({ blockerId, blockedId, version, deletedAt }: Block): BlockState {
  return { blockerId, blockedId, version, active: deletedAt === null };
}
