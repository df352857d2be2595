import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '@pulso/platform/postgres/columns';
import type { Reason, SubjectType } from './report.entity.js';
import type { Outcome } from './decision.js';

/** One decision of a moderator. The rows are only added: they are the record of who decided what, when and why. */
@Entity('moderation_decisions')
export class LoggedDecision {
  /** UUIDv7 of `decidedAt`. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text', { name: 'subject_type' })
  subjectType!: SubjectType;

  @Column('uuid', { name: 'subject_id' })
  subjectId!: string;

  @Column('text')
  outcome!: Outcome;

  @Column('text')
  reason!: Reason;

  @Column('text')
  note!: string;

  @Column('text', { name: 'decided_by' })
  decidedBy!: string;

  /** Milliseconds since the epoch. */
  @TimeColumn('decided_at')
  decidedAt!: number;
}
