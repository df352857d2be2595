import type { ErasedUserState } from '@pulso/contracts/common/v1/events';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from './column-transformers.js';
import { OptionalTimeColumn, VersionColumn } from './columns.js';

/** A user whose account is erased: see `ErasedUsers`. Times are milliseconds since the epoch. */
@Entity('erased_users')
export class ErasedUser {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  /** The version of identity's state that asks for it. */
  @Column('bigint', { transformer: safeInteger })
  asked!: number;

  /** How often the service has erased what it held since it was asked. */
  @Column('smallint')
  looks!: number;

  /** Null once nothing is to be done any more. */
  @OptionalTimeColumn('due_at')
  dueAt!: number | null;

  @OptionalTimeColumn('erased_at')
  erasedAt!: number | null;

  @VersionColumn()
  version!: number;
}

export const toErasedUserState = ({ userId, version, asked, erasedAt }: ErasedUser): ErasedUserState => ({
  userId,
  version,
  asked,
  erasedAt: erasedAt ?? undefined,
});
