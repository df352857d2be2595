import { DomainError, notFound } from '@pulso/platform/errors/domain-error';

export const conversationNotFound = () => notFound('Conversation not found');

export const cannotMessageSelf = () =>
  new DomainError('cannot-message-self', 'You cannot send messages to yourself.');

export const messageNotFound = () => notFound('Message not found');
