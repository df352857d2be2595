import { Column, Entity, PrimaryColumn } from 'typeorm';
import { OptionalTimeColumn, TimeColumn } from '@pulso/platform/postgres/columns';

export type SubjectType = 'user' | 'post' | 'comment' | 'message';
export const REASONS = ['spam', 'harassment', 'nudity', 'danger', 'other'] as const;
export type Reason = (typeof REASONS)[number];
export type Resolution = 'dismissed' | 'post-hidden' | 'comment-hidden' | 'user-suspended';

/** A complaint, open or resolved by a moderator. Times are milliseconds since the epoch. */
@Entity('reports')
export class Report {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'reporter_id' })
  reporterId!: string;

  @Column('text', { name: 'subject_type' })
  subjectType!: SubjectType;

  @Column('uuid', { name: 'subject_id' })
  subjectId!: string;

  @Column('text')
  reason!: Reason;

  @Column('text')
  note!: string;

  @TimeColumn('created_at')
  createdAt!: number;

  /** Null while the report is open. */
  @OptionalTimeColumn('resolved_at')
  resolvedAt!: number | null;

  @Column('text', { nullable: true })
  resolution!: Resolution | null;

  /** The moderator's name as given on the command line. */
  @Column('text', { name: 'resolved_by', nullable: true })
  resolvedBy!: string | null;
}
