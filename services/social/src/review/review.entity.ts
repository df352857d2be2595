import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ReviewState } from '@pulso/contracts/social/v1/events';
import { milliseconds, safeInteger } from '@pulso/platform/postgres/column-transformers';

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

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, transformer: milliseconds })
  createdAt!: number;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, transformer: milliseconds })
  updatedAt!: number;

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

export function toReviewState({ comment: _private, deletedAt, ...state }: Review): ReviewState {
  return { ...state, deleted: deletedAt !== null };
}
