import { Column } from 'typeorm';
import { TimeColumn, VersionColumn } from '@pulso/platform/postgres/columns';
import type { Reason } from './report.entity.js';

/** The latest decision of a moderator about one subject. */
export abstract class Decision {
  /** False once the decision was revoked. */
  @Column('boolean')
  active!: boolean;

  @Column('text')
  reason!: Reason;

  @Column('text', { name: 'decided_by' })
  decidedBy!: string;

  /** Milliseconds since the epoch. */
  @TimeColumn('decided_at')
  decidedAt!: number;

  @VersionColumn()
  version!: number;
}
