import { DomainError } from '@pulso/platform/errors/domain-error';

/** The same whoever blocked whom. */
export const blocked = () =>
  new DomainError('blocked', 'You cannot do this because one of you has blocked the other.');

export const cannotBlockSelf = () => new DomainError('cannot-block-self', 'You cannot block yourself.');
