import { VALIDATION_MESSAGES, TEXT_LIMITS } from '@pulso/contracts/limits';
import { type Message, MessageEventKind, MessageType } from '@pulso/contracts/messaging/v1/messaging';
import { FieldProblems } from '@pulso/platform/validation/field-problems';
import type { MessageDocument, MessageEventFields } from '../store/message.schema.js';

const EVENT_KINDS: Readonly<Record<MessageEventFields['kind'], MessageEventKind>> = {
  started: MessageEventKind.MESSAGE_EVENT_KIND_SUBSCRIPTION_STARTED,
  ends: MessageEventKind.MESSAGE_EVENT_KIND_SUBSCRIPTION_ENDS,
  ended: MessageEventKind.MESSAGE_EVENT_KIND_SUBSCRIPTION_ENDED,
};

/** A message's text, trimmed (MSG-4). Throws `validation-failed` on `content`. */
export function readMessage(input: string): string {
  const problems = new FieldProblems();
  const content = problems.text('content', input, TEXT_LIMITS.message);
  if (content === '') problems.add('content', 'required', VALIDATION_MESSAGES.emptyMessage);
  problems.check();
  return content;
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
