import { DomainError } from '@pulso/platform/errors/domain-error';

export const cannotFollowSelf = () => new DomainError('cannot-follow-self', 'You cannot follow yourself.');
