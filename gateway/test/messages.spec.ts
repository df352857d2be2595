import { MessageEventKind, MessageType, NotificationType } from '@pulso/contracts/messaging/v1/messaging';
import { DomainError, notFound } from '@pulso/platform/errors/domain-error';
import {
  aConversation,
  aMessage,
  aNotification,
  COMMENT_ID,
  CONVERSATION_ID,
  MESSAGE_ID,
  NOTIFICATION_ID,
  OTHER_ID,
  POST_ID,
  TIME,
  USER_ID,
} from './support/fake-clients.js';
import { type CallOptions, startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.resetServices());
afterAll(() => gateway?.close());

const time = new Date(TIME).toISOString();

const ben = {
  id: OTHER_ID,
  name: 'Ben Ortiz',
  username: 'ben-ortiz',
  profileImage: '/api/avatars/B.svg',
  isCoach: false,
};

const last = {
  senderId: OTHER_ID,
  receiverId: USER_ID,
  content: 'See you at six?',
  type: 'user',
  createdAt: time,
};

const message = { id: MESSAGE_ID, conversationId: CONVERSATION_ID, ...last, event: null, read: false };

const conversation = {
  id: CONVERSATION_ID,
  otherUser: ben,
  lastMessage: last,
  lastActivity: time,
  unreadCount: 1,
};

const notification = {
  id: NOTIFICATION_ID,
  type: 'comment',
  actor: ben,
  postId: POST_ID,
  commentId: COMMENT_ID,
  read: false,
  createdAt: time,
};

const json = async (method: string, path: string, options?: CallOptions) => {
  const response = await gateway.call(method, path, options);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const requests = (method: string) =>
  gateway.calls.filter((call) => call.method === method).map(({ request }) => request);

const refusal = async (method: string, path: string, sent: object) => {
  const { status, body } = await json(method, path, { json: sent });
  return [status, body.code];
};

describe('conversations', () => {
  it('are listed with the other user, the last message and the unread count', async () => {
    expect(await json('GET', '/api/conversations?limit=5')).toEqual({
      status: 200,
      body: { items: [conversation], nextCursor: 'k.next.mac' },
    });
    expect(requests('listConversations')).toEqual([{ limit: 5, cursor: '' }]);
  });

  it('are 201 when started, and 200 when there already', async () => {
    const started = { ...conversation, lastMessage: null, unreadCount: 0 };
    gateway.messaging.startConversation = () =>
      Promise.resolve({
        conversation: aConversation({ lastMessage: undefined, unreadCount: 0 }),
        created: true,
      });
    const start = () => json('POST', '/api/conversations', { json: { userId: OTHER_ID } });
    expect(await start()).toEqual({ status: 201, body: started });
    gateway.resetServices();
    expect(await start()).toEqual({ status: 200, body: conversation });
    expect(requests('startConversation')).toEqual([{ userId: OTHER_ID }]);
  });

  it.each([
    `${OTHER_ID}_${USER_ID}`,
    `${USER_ID}_${USER_ID}`,
    `${CONVERSATION_ID}_${USER_ID}`,
    `${USER_ID}_`,
    USER_ID,
  ])('are 404 with an id that none can have (%s)', async (id) => {
    const path = `/api/conversations/${id}`;
    expect((await json('GET', `${path}/messages`)).status).toBe(404);
    expect((await json('POST', `${path}/read`)).status).toBe(404);
    expect(gateway.calls).toEqual([]);
  });

  it('are marked as read up to a message or wholly, also without a body', async () => {
    const path = `/api/conversations/${CONVERSATION_ID}/read`;
    for (const options of [{}, { json: {} }, { json: { upTo: MESSAGE_ID } }]) {
      expect((await gateway.call('POST', path, options)).status).toBe(204);
    }
    expect(requests('markConversationRead')).toEqual([
      { conversationId: CONVERSATION_ID, upTo: undefined },
      { conversationId: CONVERSATION_ID, upTo: undefined },
      { conversationId: CONVERSATION_ID, upTo: MESSAGE_ID },
    ]);
    gateway.messaging.markConversationRead = () => Promise.reject(notFound());
    expect(await refusal('POST', path, { upTo: MESSAGE_ID })).toEqual([404, 'not-found']);
    expect(await refusal('POST', path, { upTo: 'x' })).toEqual([404, 'not-found']);
  });
});

describe('messages', () => {
  it('are paged, with what a system message tells', async () => {
    const kinds = {
      'subscription-started': MessageEventKind.MESSAGE_EVENT_KIND_SUBSCRIPTION_STARTED,
      'subscription-ends': MessageEventKind.MESSAGE_EVENT_KIND_SUBSCRIPTION_ENDS,
      'subscription-ended': MessageEventKind.MESSAGE_EVENT_KIND_SUBSCRIPTION_ENDED,
    };
    const type = MessageType.MESSAGE_TYPE_SYSTEM;
    gateway.messaging.listMessages = () =>
      Promise.resolve({
        items: [
          aMessage(),
          ...Object.values(kinds).map((kind) => aMessage({ type, event: { kind, at: TIME }, read: true })),
        ],
        nextCursor: '',
      });
    const { body } = await json('GET', `/api/conversations/${CONVERSATION_ID}/messages?cursor=c.d.e`);
    expect(body).toEqual({
      items: [
        message,
        ...Object.keys(kinds).map((kind) => ({
          ...message,
          type: 'system',
          event: { kind, at: time },
          read: true,
        })),
      ],
      nextCursor: null,
    });
  });

  it('are sent trimmed, under their idempotency key', async () => {
    const sent = { receiverId: OTHER_ID, content: ' See you\nat six? ' };
    const headers = { 'idempotency-key': 'one' };
    expect(await json('POST', '/api/messages', { json: sent, headers })).toEqual({
      status: 201,
      body: { ...message, senderId: USER_ID, receiverId: OTHER_ID, content: 'See you\nat six?' },
    });
    expect(requests('sendMessage')).toEqual([
      {
        receiverId: OTHER_ID,
        content: 'See you\nat six?',
        idempotency: { key: 'one', scope: 'POST /api/messages', bodyHash: expect.any(String) },
      },
    ]);
  });

  it.each([
    ['cannot-message-self', 422],
    ['blocked', 403],
    ['not-found', 404],
  ] as const)('are refused with %s, as is the start', async (code, status) => {
    const refuse = () => Promise.reject(new DomainError(code, 'No.'));
    Object.assign(gateway.messaging, { sendMessage: refuse, startConversation: refuse });
    const sent = { receiverId: OTHER_ID, content: 'x' };
    expect(await refusal('POST', '/api/messages', sent)).toEqual([status, code]);
    expect(await refusal('POST', '/api/conversations', { userId: OTHER_ID })).toEqual([status, code]);
  });

  it('to a malformed id are 404', async () => {
    expect(await refusal('POST', '/api/conversations', { userId: '' })).toEqual([404, 'not-found']);
    expect(gateway.calls).toEqual([]);
    // Messaging judges the text first.
    gateway.messaging.sendMessage = () => Promise.reject(new DomainError('not-found', 'User not found'));
    expect(await refusal('POST', '/api/messages', { receiverId: 'ben', content: 'x' })).toEqual([
      404,
      'not-found',
    ]);
  });

  it('have a text, else the refusal has one', async () => {
    const { body } = await json('POST', '/api/messages', { json: { receiverId: OTHER_ID } });
    expect(body.detail).toBe('Please write a message.');
  });
});

describe('notifications', () => {
  it('are listed with their targets', async () => {
    const types = {
      post_like: NotificationType.NOTIFICATION_TYPE_POST_LIKE,
      comment: NotificationType.NOTIFICATION_TYPE_COMMENT,
      comment_like: NotificationType.NOTIFICATION_TYPE_COMMENT_LIKE,
      mention: NotificationType.NOTIFICATION_TYPE_MENTION,
      follow: NotificationType.NOTIFICATION_TYPE_FOLLOW,
      subscription: NotificationType.NOTIFICATION_TYPE_SUBSCRIPTION,
      review: NotificationType.NOTIFICATION_TYPE_REVIEW,
    };
    const newer = 99 as NotificationType;
    gateway.messaging.listNotifications = () =>
      Promise.resolve({
        items: [...Object.values(types), newer].map((type) =>
          aNotification({ type, ...(type > 4 && { postId: '', commentId: '' }) }),
        ),
        nextCursor: '',
      });
    expect((await json('GET', '/api/notifications')).body).toEqual({
      items: Object.keys(types).map((type, index) => ({
        ...notification,
        type,
        ...(index > 3 && { postId: null, commentId: null }),
      })),
      nextCursor: null,
    });
  });

  it('are marked as read up to one of them or wholly', async () => {
    for (const options of [{}, { json: { upTo: NOTIFICATION_ID } }]) {
      expect((await gateway.call('POST', '/api/notifications/read', options)).status).toBe(204);
    }
    expect(requests('markNotificationsRead')).toEqual([{ upTo: undefined }, { upTo: NOTIFICATION_ID }]);
    expect(await refusal('POST', '/api/notifications/read', { upTo: 'x' })).toEqual([404, 'not-found']);
  });
});

describe('badges', () => {
  it('are both counts, and 304 while they stay', async () => {
    const response = await gateway.call('GET', '/api/badges');
    expect(await response.json()).toEqual({ notifications: 2, messages: 1 });
    const headers = { 'if-none-match': response.headers.get('etag')! };
    expect((await gateway.call('GET', '/api/badges', { headers })).status).toBe(304);
  });
});

it('find a user who has just signed up', async () => {
  const asked: string[] = [];
  gateway.messaging.sendMessage = () => {
    asked.push('send');
    return asked.length === 1 ? Promise.reject(notFound()) : Promise.resolve(aMessage());
  };
  const { status } = await json('POST', '/api/messages', { json: { receiverId: USER_ID, content: 'x' } });
  expect([status, asked.length]).toEqual([201, 2]);
});
