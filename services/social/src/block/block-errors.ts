import { DomainError } from '@pulso/platform/errors/domain-error';

export const cannotBlockSelf = () => new DomainError('cannot-block-self', 'You cannot block yourself.');
