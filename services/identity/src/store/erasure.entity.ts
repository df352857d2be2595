import type { ErasureState } from '@pulso/contracts/identity/v1/events';
import { OptionalTimeColumn, TimeColumn, VersionColumn } from '@pulso/platform/postgres/columns';
import { Entity, PrimaryColumn } from 'typeorm';

/** An account that is erased; the row stays for ever. Times are milliseconds since the epoch. */
@Entity('erasures')
export class Erasure {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  @TimeColumn('requested_at')
  requestedAt!: number;

  /** When all services had acknowledged it. */
  @OptionalTimeColumn('completed_at')
  completedAt!: number | null;

  @VersionColumn()
  version!: number;
}

export const toErasureState = ({ userId, version, requestedAt }: Erasure): ErasureState => ({
  userId,
  version,
  requestedAt,
});
