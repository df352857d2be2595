import { Injectable } from '@nestjs/common';
import type { UserFiguresState } from '@pulso/contracts/social/v1/events';
import { userFiguresTopic } from '@pulso/contracts/topics/social';
import type { EventRecord, RepublishEnd } from '@pulso/platform/events/event-bus';
import { ProjectionStore, ProjectionTable } from '@pulso/platform/postgres/projection-table';
import { DIRECTORY, DirectoryRows } from '../store/directory-rows.js';

/** Identity's projection of users' figures. A trigger gives them to the merits of listed coaches. */
@Injectable()
export class KnownFigures extends ProjectionTable<UserFiguresState> {
  constructor(
    store: ProjectionStore,
    private readonly pages: DirectoryRows,
  ) {
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

  override async apply(state: UserFiguresState, event: EventRecord): Promise<boolean> {
    const isShown = await super.apply(state, event);
    this.pages.changed(DIRECTORY);
    return isShown;
  }

  override async republishEnded(end: RepublishEnd): Promise<void> {
    await super.republishEnded(end);
    this.pages.changed(DIRECTORY);
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
