import { Column } from 'typeorm';
import { TimeColumn, VersionColumn } from '@pulso/platform/postgres/columns';

/** What every moderator's decision says. */
export abstract class Decision {
  /** False once the decision was revoked. */
  @Column('boolean')
  active!: boolean;

  @Column('text', { name: 'decided_by' })
  decidedBy!: string;

  /** Milliseconds since the epoch. */
  @TimeColumn('decided_at')
  decidedAt!: number;

  @VersionColumn()
  version!: number;
}
