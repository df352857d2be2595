import { Injectable } from '@nestjs/common';
import type { UserFiguresState } from '@pulso/contracts/social/v1/events';
import { userFiguresTopic } from '@pulso/contracts/topics/social';
import { ProjectionStore, ProjectionTable } from '@pulso/platform/postgres/projection-table';

/** Identity's projection of users' figures. A trigger gives them to the merits of listed coaches. */
@Injectable()
export class KnownFigures extends ProjectionTable<UserFiguresState> {
  constructor(store: ProjectionStore) {
    super(store, {
      topic: userFiguresTopic,
      table: 'known_figures',
      key: ['user_id'],
      columns: ({ followerCount, ratingSum, reviewCount }) => ({
        follower_count: followerCount,
        rating_sum: ratingSum,
        review_count: reviewCount,
      }),
    });
  }

  /** 0 each for a user without figures. */
  async of(userId: string): Promise<{ followers: number; reviews: number }> {
    const [figures] = await this.dataSource.query<{ followers: number; reviews: number }[]>(
      `SELECT follower_count AS followers, review_count AS reviews FROM known_figures WHERE user_id = $1`,
      [userId],
    );
    return figures ?? { followers: 0, reviews: 0 };
  }
}
