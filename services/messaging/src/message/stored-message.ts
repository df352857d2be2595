import { Message } from '@pulso/contracts/messaging/v1/messaging';
import { type AnswerCodec, storedAnswer, type StoredFields } from '@pulso/platform/idempotency/answer-codec';

const STORED_MESSAGE: StoredFields<Message> = {
  id: 'kept',
  conversationId: 'kept',
  senderId: 'kept',
  receiverId: 'kept',
  content: 'left-out',
  type: 'kept',
  // Only system messages have one, and no request creates these.
  event: 'left-out',
  createdAt: 'kept',
  read: 'kept',
};

/** A new message as stored under its Idempotency-Key; each repetition contains its text again. */
export function storedMessage(content: string): AnswerCodec<Message> {
  return storedAnswer(Message, STORED_MESSAGE, (stored) => ({ ...stored, content }));
}
