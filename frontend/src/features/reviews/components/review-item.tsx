import { Link } from 'react-router-dom';
import type { Review } from '../../../api/types.js';
import { Avatar } from '../../../components/avatar.js';
import { Badge } from '../../../components/badge.js';
import { profilePath } from '../../../components/profile-path.js';
import { Stars } from '../../../components/stars.js';
import { TimeAgo } from '../../../components/time-ago.js';
import { WrittenText } from '../../../components/written-text/written-text.js';
import { useReviewMessages } from '../messages.js';
import classes from './reviews.module.css';

export function ReviewItem({ review }: { review: Review }) {
  const { reviews: texts } = useReviewMessages();
  const { reviewer, reviewerName, reviewerImage } = review;
  return (
    <li className="card" aria-label={texts.by(reviewerName)}>
      <div className={classes.head}>
        <Avatar user={{ name: reviewerName, profileImage: reviewerImage }} />
        <div className={classes.byline}>
          <div className={classes.names}>
            <Link to={profilePath(reviewer)} className={classes.reviewer} title={reviewerName}>
              <span className="one-line" dir="auto">
                {reviewerName}
              </span>
            </Link>
            {review.verifiedSubscriber && <Badge tone="accent">{texts.verified}</Badge>}
          </div>
          <div className={classes.meta}>
            <Stars rating={review.rating} size={16} />
            <TimeAgo time={review.createdAt} />
            {review.updatedAt !== review.createdAt && <span>· {texts.edited}</span>}
          </div>
        </div>
      </div>
      <WrittenText className={classes.comment} text={review.comment} foldable />
    </li>
  );
}
