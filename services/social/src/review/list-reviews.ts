import { Injectable } from '@nestjs/common';
import type { ListReviewsRequest, ReviewPage } from '@pulso/contracts/social/v1/social';
import { CursorSealer } from '@pulso/platform/auth/sealed-cursor';
import { viewerId } from '@pulso/platform/context/request-context';
import { ListPage } from '@pulso/platform/paging/list-page';
import { VisibleUsers } from '../relation/visible-users.js';
import { FiguresRepository } from '../store/figures.repository.js';
import { fillList } from '../store/fill-list.js';
import { ratingSummary } from '../store/rating-summary.js';
import { ReviewRepository } from '../store/review.repository.js';
import { toReviewMessage } from './review-message.js';

/**
 * `GET /api/coaches/{id}/reviews`, newest first, with the summary and the viewer's own review; public (PEOPLE-31). For a
 * coach whom the viewer has blocked it returns only these two.
 */
@Injectable()
export class ListReviews {
  constructor(
    private readonly visible: VisibleUsers,
    private readonly reviews: ReviewRepository,
    private readonly figures: FiguresRepository,
    private readonly sealer: CursorSealer,
  ) {}

  async execute({ coachId, ...request }: ListReviewsRequest): Promise<ReviewPage> {
    const viewer = viewerId();
    const page = new ListPage(this.sealer, `reviews:${coachId}`, viewer, request);
    const { blocked } = await this.visible.require(coachId);

    const [{ rows, nextCursor }, figures, mine] = await Promise.all([
      blocked
        ? { rows: [], nextCursor: '' }
        : fillList(page, (slice) => this.reviews.list(coachId, viewer, slice)),
      this.figures.of(coachId),
      viewer === null ? undefined : this.reviews.findShown(coachId, viewer),
    ]);
    return {
      items: rows.map(toReviewMessage),
      nextCursor,
      summary: ratingSummary(figures),
      mine: mine && toReviewMessage(mine),
    };
  }
}
