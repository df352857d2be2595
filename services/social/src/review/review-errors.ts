import { DomainError } from '@pulso/platform/errors/domain-error';

export const cannotReviewSelf = () =>
  new DomainError('unprocessable', 'cannot-review-self', 'You cannot review yourself.');

export const notACoach = () => new DomainError('unprocessable', 'not-a-coach', 'This user is not a coach.');
