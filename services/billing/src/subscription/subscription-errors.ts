import { DomainError } from '@pulso/platform/errors/domain-error';

export const cannotSubscribeSelf = () =>
  new DomainError('cannot-subscribe-self', 'You cannot subscribe to yourself.');

export const notACoach = () => new DomainError('not-a-coach', 'This user is not a coach.');
