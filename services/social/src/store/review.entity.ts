import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ReviewState } from '@pulso/contracts/social/v1/events';
import { OptionalTimeColumn, TimeColumn, VersionColumn } from '@pulso/platform/postgres/columns';

/** A member's review of a coach; the key allows one. Times are milliseconds since the epoch. */
@Entity('reviews')
export class Review {
  @PrimaryColumn('uuid', { name: 'coach_id' })
  coachId!: string;

  @PrimaryColumn('uuid', { name: 'reviewer_id' })
  reviewerId!: string;

  /** A review written again after its deletion gets a new id. */
  @Column('uuid')
  id!: string;

  /** 1–5; 0 once deleted. */
  @Column('smallint')
  rating!: number;

  /** Empty once deleted. */
  @Column('text')
  comment!: string;

  @TimeColumn('created_at')
  createdAt!: number;

  @TimeColumn('updated_at')
  updatedAt!: number;

  @OptionalTimeColumn('deleted_at')
  deletedAt!: number | null;

  @VersionColumn()
  version!: number;
}

export function toReviewState({ comment: _private, deletedAt, ...state }: Review): ReviewState {
  return { ...state, deleted: deletedAt !== null };
}
