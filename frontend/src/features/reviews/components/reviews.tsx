import { InfiniteSentinel } from '../../../components/infinite-sentinel.js';
import { NextPart, ToListStart, useListStart } from '../../../components/list-start.js';
import { Stars, formatAverage } from '../../../components/stars.js';
import { useStarTexts } from '../../../components/star-texts.js';
import { CardSkeletons, Empty, LoadError } from '../../../components/states.js';
import { nextCursorOf } from '../../../server/queries/paged-list.js';
import { useReviews } from '../api/get-reviews.js';
import { useReviewTexts } from '../texts.js';
import { OwnReview } from './own-review.js';
import { ReviewItem } from './review-item.js';
import classes from './reviews.module.css';

interface ReviewsProps {
  coachId: string;
  /** The viewer is the coach: no review form. */
  isSelf: boolean;
}

/** A coach's reviews, newest first, with their average and the viewer's own. */
export function Reviews({ coachId, isSelf }: ReviewsProps) {
  const texts = useReviewTexts();
  const { rating } = useStarTexts();
  const start = useListStart();
  const query = useReviews(coachId, start);
  const { reviews, summary } = query;

  if (!reviews || !summary) {
    if (query.error) return <LoadError error={query.error} onRetry={() => void query.refetch()} />;
    return <CardSkeletons count={2} />;
  }
  return (
    <>
      {summary.totalReviews > 0 && (
        <div className={classes.summary}>
          <span className={classes.average} aria-hidden>
            {formatAverage(summary.averageRating, texts.locale)}
          </span>
          <Stars rating={summary.averageRating} size={22} />
          <span className={classes.count}>{rating.count(summary.totalReviews)}</span>
        </div>
      )}
      {!isSelf && <OwnReview coachId={coachId} mine={query.mine} />}
      <ToListStart />
      {reviews.length === 0 ? (
        start === undefined &&
        !query.hasNextPage && <Empty>{isSelf ? texts.reviews.emptyOwn : texts.reviews.empty}</Empty>
      ) : (
        <ul className={classes.list} aria-label={texts.reviews.title}>
          {reviews.map((review) => (
            <ReviewItem key={review.id} review={review} />
          ))}
        </ul>
      )}
      <InfiniteSentinel list={query} />
      <NextPart label={texts.app.loadMore} cursor={nextCursorOf(query.data)} />
    </>
  );
}
