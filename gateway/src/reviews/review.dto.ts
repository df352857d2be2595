import { RATING, VALIDATION_MESSAGES, TEXT_LIMITS } from '@pulso/contracts/limits';
import { z } from 'zod';
import { refuse, givenText } from '../validation/fields.js';
import { answer, body } from '../validation/named-schemas.js';
import { EXAMPLE } from '../openapi/examples.js';
import { count, id, time, userRefSchema } from '../user-ref/user-ref.dto.js';

const isRating = (value: number) => Number.isInteger(value) && value >= RATING.min && value <= RATING.max;

export class PutReviewBody extends body(
  'PutReview',
  z.strictObject({
    rating: z
      .number(VALIDATION_MESSAGES.rating)
      .meta({ type: 'integer', minimum: RATING.min, maximum: RATING.max })
      .transform((rating, context) =>
        isRating(rating) ? rating : refuse(context, 'out-of-range', VALIDATION_MESSAGES.rating),
      ),
    comment: givenText(TEXT_LIMITS.review, VALIDATION_MESSAGES.emptyReview),
  }),
  { rating: 5, comment: 'Patient, clear, and it works.' },
) {}

const exampleReview = {
  id: EXAMPLE.reviewId,
  coachId: EXAMPLE.coachId,
  reviewer: {
    id: EXAMPLE.memberId,
    name: 'Ben Ortiz',
    username: 'ben-ortiz',
    profileImage: '/api/avatars/B.svg',
    isCoach: false,
  },
  reviewerName: 'Ben Ortiz',
  reviewerImage: '/api/avatars/B.svg',
  verifiedSubscriber: false,
  rating: 5,
  comment: 'Patient, clear, and it works.',
  createdAt: EXAMPLE.time,
  updatedAt: EXAMPLE.later,
};

export const reviewSchema = answer(
  'Review',
  z.object({
    id,
    coachId: id,
    reviewer: userRefSchema,
    reviewerName: z.string(),
    reviewerImage: z.string(),
    verifiedSubscriber: z.boolean().meta({ description: 'Is or was subscribed to the coach' }),
    rating: z.int().min(RATING.min).max(RATING.max),
    comment: z.string(),
    createdAt: time,
    updatedAt: time,
  }),
  exampleReview,
);

const exampleSummary = { averageRating: 4.7, totalReviews: 9 };

const summarySchema = answer(
  'RatingSummary',
  z.object({
    averageRating: z
      .number()
      .min(0)
      .max(RATING.max)
      .meta({ description: 'To one decimal; 0 without reviews' }),
    totalReviews: count,
  }),
  exampleSummary,
);

export const reviewPageSchema = answer(
  'ReviewPage',
  z.object({
    items: z.array(reviewSchema),
    nextCursor: z.string().nullable(),
    summary: summarySchema,
    mine: reviewSchema.nullable(),
  }),
  { items: [exampleReview], nextCursor: null, summary: exampleSummary, mine: null },
);

export type Review = z.output<typeof reviewSchema>;
export type ReviewPage = z.output<typeof reviewPageSchema>;
