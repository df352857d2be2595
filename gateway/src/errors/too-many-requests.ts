import { DomainError } from '@pulso/platform/errors/domain-error';

export const tooManyRequests = (retryAfter: number, message = 'Too many requests. Please try again later.') =>
  new DomainError('too-many-requests', message, { retryAfter });
