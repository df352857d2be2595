import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { UserFiguresState } from '@pulso/contracts/social/v1/events';
import { VersionColumn } from '@pulso/platform/postgres/columns';

/** What others did with a user: followers and reviews, without those of suspended and deleted users (PEOPLE-41). */
export interface Figures {
  followerCount: number;
  /** The sum of the ratings of all reviews. */
  ratingSum: number;
  reviewCount: number;
}

/** A user's figures without the changes that `PublishFigures` has not added yet. Users without a row have none. */
@Entity('user_figures')
export class UserFigures implements Figures {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  @Column('integer', { name: 'follower_count' })
  followerCount!: number;

  @Column('integer', { name: 'rating_sum' })
  ratingSum!: number;

  @Column('integer', { name: 'review_count' })
  reviewCount!: number;

  @VersionColumn()
  version!: number;
}

export const toUserFiguresState = (figures: UserFigures): UserFiguresState => ({ ...figures });
