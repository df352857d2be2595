import { Controller } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import type {
  DeleteReviewRequest,
  DeleteReviewResponse,
  ListReviewsRequest,
  PutReviewRequest,
  PutReviewResponse,
  ReviewPage,
} from '@pulso/contracts/social/v1/social';
import { DeleteReview } from './delete-review.js';
import { ListReviews } from './list-reviews.js';
import { PutReview } from './put-review.js';

@Controller()
export class ReviewGrpc {
  constructor(
    private readonly listReviewsUseCase: ListReviews,
    private readonly putReviewUseCase: PutReview,
    private readonly deleteReviewUseCase: DeleteReview,
  ) {}

  @GrpcMethod('SocialService', 'ListReviews')
  listReviews(request: ListReviewsRequest): Promise<ReviewPage> {
    return this.listReviewsUseCase.execute(request);
  }

  @GrpcMethod('SocialService', 'PutReview')
  putReview(request: PutReviewRequest): Promise<PutReviewResponse> {
    return this.putReviewUseCase.execute(request);
  }

  @GrpcMethod('SocialService', 'DeleteReview')
  async deleteReview({ coachId }: DeleteReviewRequest): Promise<DeleteReviewResponse> {
    await this.deleteReviewUseCase.execute(coachId);
    return {};
  }
}
