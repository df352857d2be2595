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
}
