import { VALIDATION_MESSAGES, TEXT_LIMITS } from '@pulso/contracts/limits';
import { type Message, MessageEventKind, MessageType } from '@pulso/contracts/messaging/v1/messaging';
import { validationFailed } from '@pulso/platform/errors/domain-error';
import { cleanText } from '@pulso/platform/text/text-rules';
import type { MessageDocument, MessageEventFields } from '../store/message.schema.js';

const EVENT_KINDS: Readonly<Record<MessageEventFields['kind'], MessageEventKind>> = {
  started: MessageEventKind.MESSAGE_EVENT_KIND_SUBSCRIPTION_STARTED,
  ends: MessageEventKind.MESSAGE_EVENT_KIND_SUBSCRIPTION_ENDS,
  ended: MessageEventKind.MESSAGE_EVENT_KIND_SUBSCRIPTION_ENDED,
};

/** A message's text, trimmed (MSG-4). Throws `validation-failed` on `content`. */
export function readMessage(input: string): string {
  const { value, problem } = cleanText(input, TEXT_LIMITS.message);
  if (problem) throw validationFailed([{ path: 'content', ...problem }]);
  if (value === '') {
    throw validationFailed([
      { path: 'content', code: 'required', message: VALIDATION_MESSAGES.emptyMessage },
    ]);
  }
  return value;
}

/** The message as both participants see it. */
export function viewMessage(message: MessageDocument): Message {
  const { _id, conversationId, senderId, receiverId, content, event } = message;
  return {
    id: _id,
    conversationId,
    senderId,
    receiverId,
    content,
    type: message.type === 'system' ? MessageType.MESSAGE_TYPE_SYSTEM : MessageType.MESSAGE_TYPE_USER,
    event: event && { kind: EVENT_KINDS[event.kind], at: event.at.getTime() },
    createdAt: message.createdAt.getTime(),
    read: message.unreadBy === undefined,
  };
}
