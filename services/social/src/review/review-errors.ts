import { DomainError } from '@pulso/platform/errors/domain-error';

export const cannotReviewSelf = () => new DomainError('cannot-review-self', 'You cannot review yourself.');

export const notACoach = () => new DomainError('not-a-coach', 'This user is not a coach.');
