import type { ReviewPage } from '../../../api/types.js';

/** The part of the cache entry that matters here. */
export interface ReviewPages {
  pages: ReviewPage[];
}

/** The summary without one rating. The average is rounded: that of many reviews may differ from the server's by 0.1. */
function withoutRating({ averageRating, totalReviews }: ReviewPage['summary'], rating: number) {
  const left = totalReviews - 1;
  if (left <= 0) return { averageRating: 0, totalReviews: 0 };
  const average = (Math.round(averageRating * totalReviews) - rating) / left;
  return { averageRating: Math.round(average * 10) / 10, totalReviews: left };
}

/** A coach's reviews without the viewer's own, which their summary does not count either. */
export function withoutMine<Cached extends ReviewPages>(cached: Cached): Cached {
  const mine = cached.pages[0]?.mine;
  if (!mine) return cached;
  const pages = cached.pages.map((page) => ({
    ...page,
    items: page.items.filter(({ id }) => id !== mine.id),
    summary: withoutRating(page.summary, mine.rating),
    mine: null,
  }));
  return { ...cached, pages };
}
