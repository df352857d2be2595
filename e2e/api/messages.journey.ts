import { randomUUID } from 'node:crypto';
import type { ApiClient, Page } from '../support/api-client.js';
import type { PulsoByApi } from '../support/start-pulso.js';
import { waitFor } from '../support/wait-for.js';

interface Conversation {
  id: string;
  otherUser: { id: string; name: string; username: string | null };
  lastMessage: { senderId: string; content: string; type: string } | null;
  lastActivity: string;
  unreadCount: number;
}

interface Message {
  id: string;
  conversationId: string;
  senderId: string;
  content: string;
  read: boolean;
}

export const messages = (shared: () => PulsoByApi) =>
  describe('messages', () => {
    let pulso: PulsoByApi;
    let ana: ApiClient;
    let ben: ApiClient;
    let cora: ApiClient;

    beforeAll(async () => {
      pulso = shared();
      ana = await pulso.user('ana-writes', { name: 'Ana Peña', isCoach: true });
      ben = await pulso.user('ben-writes', { name: 'Ben Ortiz' });
      cora = await pulso.user('cora-writes', { name: 'Cora Diaz' });
      await pulso.drainEvents();
    });

    const send = (from: ApiClient, to: ApiClient, content: string, key?: string) =>
      from.post<Message>(
        '/api/messages',
        { receiverId: to.userId, content },
        key === undefined ? {} : { 'idempotency-key': key },
      );
    const conversationsOf = (client: ApiClient) => client.all<Conversation>('/api/conversations');
    const badgesOf = async (client: ApiClient) =>
      (await client.get<Record<string, number>>('/api/badges')).body;
    const untilUnread = (client: ApiClient, wanted: number) =>
      waitFor(
        () => badgesOf(client),
        ({ messages: count }) => count === wanted,
        { what: `${wanted} unread messages` },
      );
    const textsIn = async (client: ApiClient, id: string) =>
      (await client.get<Page<Message>>(`/api/conversations/${id}/messages`)).body.items.map(
        ({ content }) => content,
      );

    // Rule: MSG-1, MSG-2, MSG-3
    it('a started conversation is its starter’s alone until the first message', async () => {
      const started = await ana.post<Conversation>('/api/conversations', { userId: ben.userId });
      expect(started).toMatchObject({
        status: 201,
        body: { otherUser: { name: 'Ben Ortiz', username: ben.username }, lastMessage: null, unreadCount: 0 },
      });
      expect(started.body.id).toBe([ana.userId, ben.userId].sort().join('_'));
      expect(await ana.post('/api/conversations', { userId: ben.userId })).toMatchObject({ status: 200 });
      expect(await conversationsOf(ben)).toEqual([]);
      expect((await ben.get(`/api/conversations/${started.body.id}/messages`)).status).toBe(404);
      expect((await ben.post('/api/conversations', { userId: ana.userId })).status).toBe(201);
    });

    // Rule: MSG-5, MSG-6, MSG-7, NOTIF-7
    it('a message is there for both, unread for its receiver until they read it', async () => {
      const sent = await send(ana, ben, '  See you at six?  ');
      expect(sent).toMatchObject({ status: 201, body: { content: 'See you at six?', read: false } });
      const { conversationId, id } = sent.body;
      const [conversation] = await conversationsOf(ben);
      expect(conversation).toMatchObject({
        id: conversationId,
        otherUser: { name: 'Ana Peña' },
        lastMessage: { senderId: ana.userId, content: 'See you at six?', type: 'user' },
        unreadCount: 1,
      });
      expect(await badgesOf(ben)).toMatchObject({ messages: 1 });
      expect(await badgesOf(ana)).toMatchObject({ messages: 0 });
      expect((await send(ana, ben, 'Or at seven?')).status).toBe(201);
      // The gateway shows what it has read before until a signal tells it of the message.
      await untilUnread(ben, 2);

      expect((await ben.post(`/api/conversations/${conversationId}/read`, { upTo: id })).status).toBe(204);
      expect(await badgesOf(ben)).toMatchObject({ messages: 1 });
      expect((await ben.post(`/api/conversations/${conversationId}/read`, {})).status).toBe(204);
      expect(await badgesOf(ben)).toMatchObject({ messages: 0 });
      const page = await ana.get<Page<Message>>(`/api/conversations/${conversationId}/messages`);
      expect(page.body.items.map(({ content, read }) => ({ content, read }))).toEqual([
        { content: 'See you at six?', read: true },
        { content: 'Or at seven?', read: true },
      ]);
    });

    // Rule: HTTP-13, MSG-8
    it('a message that is sent again with its key is one message', async () => {
      const key = randomUUID();
      const answers = await Promise.all([send(ben, ana, 'Once', key), send(ben, ana, 'Once', key)]);
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      expect((await send(ben, ana, 'Another text', key)).status).toBe(422);
      const [conversation] = await conversationsOf(ana);
      const texts = await textsIn(ana, conversation!.id);
      expect(texts.filter((text) => text === 'Once')).toHaveLength(1);
    });

    // Rule: MSG-7
    it('messages are paged from the newest to the oldest, and skip none while new ones arrive', async () => {
      for (let index = 0; index < 25; index += 1) await send(cora, ben, `Lap ${index}`);
      const [{ id } = { id: '' }] = await conversationsOf(cora);
      const path = `/api/conversations/${id}/messages`;
      const newest = await cora.get<Page<Message>>(`${path}?limit=10`);
      await send(ben, cora, 'Well run');
      const seen = [newest.body.items];
      for (let cursor = newest.body.nextCursor; cursor !== null;) {
        const older = await cora.get<Page<Message>>(`${path}?limit=10&cursor=${encodeURIComponent(cursor)}`);
        seen.unshift(older.body.items);
        cursor = older.body.nextCursor;
      }
      expect(seen.flat().map(({ content }) => content)).toEqual(
        Array.from({ length: 25 }, (_, index) => `Lap ${index}`),
      );
    });

    // Rule: MSG-1, MSG-4, MSG-6
    it('refuses what is not the caller’s, and what is no message', async () => {
      const [conversation] = await conversationsOf(ben);
      const [message] = (await ben.get<Page<Message>>(`/api/conversations/${conversation!.id}/messages`)).body
        .items;
      expect((await ana.get(`/api/conversations/${conversation!.id}/messages`)).status).toBe(404);
      expect((await ana.post(`/api/conversations/${conversation!.id}/read`, {})).status).toBe(404);
      const own = (await conversationsOf(ana))[0]!.id;
      expect((await ana.post(`/api/conversations/${own}/read`, { upTo: message!.id })).status).toBe(404);

      expect(await send(ana, ana, 'To myself')).toMatchObject({
        status: 422,
        body: { code: 'cannot-message-self' },
      });
      const invalid = [{ content: '   ' }, { content: 'x'.repeat(4001) }, { content: 'Hi', type: 'system' }];
      for (const fields of invalid) {
        const answer = await ana.post('/api/messages', { receiverId: ben.userId, ...fields });
        expect(answer.status).toBe(400);
      }
      expect((await send(pulso.visitor(), ben, 'Hello')).status).toBe(401);
    });

    // Rule: MSG-9
    it('a block ends sending both ways and hides the conversation from both', async () => {
      const id = (await send(ana, cora, 'Before the block')).body.conversationId;
      expect((await cora.put(`/api/users/${ana.userId}/block`)).status).toBeLessThan(300);
      for (const [from, to] of [
        [ana, cora],
        [cora, ana],
      ] as const) {
        await waitFor(
          () => send(from, to, 'After it'),
          ({ status, body }) => status === 403 && (body as unknown as { code: string }).code === 'blocked',
          { what: 'the refusal of a message after the block' },
        );
        const start = await from.post('/api/conversations', { userId: to.userId });
        expect(start).toMatchObject({ status: 403, body: { code: 'blocked' } });
        expect((await conversationsOf(from)).map((conversation) => conversation.id)).not.toContain(id);
        expect((await from.get(`/api/conversations/${id}/messages`)).status).toBe(404);
      }
      expect(await badgesOf(cora)).toMatchObject({ messages: expect.any(Number) });
      await cora.delete(`/api/users/${ana.userId}/block`);
      const idsOf = async () => (await conversationsOf(ana)).map((conversation) => conversation.id);
      await waitFor(idsOf, (ids) => ids.includes(id), { what: 'the conversation after the block' });
    });

    // Rule: HTTP-21
    it('answers that have not changed are 304', async () => {
      for (const path of ['/api/badges', '/api/conversations']) {
        const first = await ana.get(path);
        const etag = first.headers.get('etag');
        expect(etag).toBeTruthy();
        const again = await fetch(pulso.url + path, {
          headers: { authorization: `Bearer ${ana.accessToken}`, 'if-none-match': etag! },
        });
        expect({ path, status: again.status }).toEqual({ path, status: 304 });
      }
    });
  });
