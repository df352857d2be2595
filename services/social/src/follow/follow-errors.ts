import { DomainError } from '@pulso/platform/errors/domain-error';

export const cannotFollowSelf = () =>
  new DomainError('unprocessable', 'cannot-follow-self', 'You cannot follow yourself.');
