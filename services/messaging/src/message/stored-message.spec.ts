import { Message } from '@pulso/contracts/messaging/v1/messaging';
import { everyField } from '@pulso/platform/testing/every-field';
import { storedMessage } from './stored-message.js';

// Rule: HTTP-13
it('stores a sent message without its text', () => {
  const kept = {
    id: 'message',
    conversationId: 'conversation',
    senderId: 'ana',
    receiverId: 'ben',
    type: 1,
    createdAt: 1_000,
    read: true,
  };
  const message = everyField(Message, { ...kept, content: 'Written', event: { kind: 1, at: 1_000 } });
  const codec = storedMessage('Written');
  const bytes = codec.encode(message);
  expect(Message.decode(bytes)).toEqual({ ...kept, content: '' });
  expect(codec.decode(bytes)).toEqual({ ...kept, content: 'Written' });
});
