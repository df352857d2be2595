import { rpcContracts } from '@pulso/contracts/rpc';
import type {
  DeleteReviewRequest,
  DeleteReviewResponse,
  ListReviewsRequest,
  PutReviewRequest,
  PutReviewResponse,
  ReviewPage,
} from '@pulso/contracts/social/v1/social';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { DeleteReview } from './delete-review.js';
import { ListReviews } from './list-reviews.js';
import { PutReview } from './put-review.js';

@RpcController(rpcContracts.social)
export class ReviewGrpc {
  constructor(
    private readonly listReviewsUseCase: ListReviews,
    private readonly putReviewUseCase: PutReview,
    private readonly deleteReviewUseCase: DeleteReview,
  ) {}

  listReviews(request: ListReviewsRequest): Promise<ReviewPage> {
    return this.listReviewsUseCase.execute(request);
  }

  putReview(request: PutReviewRequest): Promise<PutReviewResponse> {
    return this.putReviewUseCase.execute(request);
  }

  async deleteReview({ coachId }: DeleteReviewRequest): Promise<DeleteReviewResponse> {
    await this.deleteReviewUseCase.execute(coachId);
    return {};
  }
}
