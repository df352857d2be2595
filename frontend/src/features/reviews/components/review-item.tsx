import type { Review } from '../../../api/types.js';
import { Avatar } from '../../../components/avatar.js';
import { Badge } from '../../../components/badge.js';
import { PersonNames } from '../../../components/person-names.js';
import { Stars } from '../../../components/stars.js';
import { TimeAgo } from '../../../components/time-ago.js';
import { WrittenText } from '../../../components/written-text/written-text.js';
import { useReviewTexts } from '../texts.js';
import classes from './reviews.module.css';

export function ReviewItem({ review }: { review: Review }) {
  const { reviews } = useReviewTexts();
  const { reviewer, reviewerName, reviewerImage } = review;
  return (
    <li tabIndex={-1} className="card" data-review={review.id} aria-label={reviews.by(reviewerName)}>
      <div className={classes.head}>
        <Avatar user={{ name: reviewerName, profileImage: reviewerImage }} />
        <div className={classes.byline}>
          <div className={classes.names}>
            <PersonNames user={reviewer} name={reviewerName} />
          </div>
          <div className={classes.meta}>
            <Stars rating={review.rating} size={16} />
            <TimeAgo time={review.createdAt} />
            {review.updatedAt !== review.createdAt && <span>· {reviews.edited}</span>}
            {review.verifiedSubscriber && <Badge>{reviews.verified}</Badge>}
          </div>
        </div>
      </div>
      <WrittenText className={classes.comment} text={review.comment} foldable />
    </li>
  );
}
