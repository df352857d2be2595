import { EventReader, type ReadEvent } from '../../gateway/test/support/event-reader.js';
import type { ApiClient, ApiPost } from '../support/api-client.js';
import type { PulsoByApi } from '../support/start-pulso.js';
import { waitFor, waitForEqual } from '../support/wait-for.js';

interface Notification {
  id: string;
  type: string;
  actor: { id: string };
  postId: string | null;
  commentId: string | null;
  read: boolean;
}

interface Badges {
  notifications: number;
  messages: number;
}

/** An open stream of a user, and what it has told. */
interface Stream {
  events: ReadEvent[];
  /** `politely`, or why it broke off. */
  ended: string | undefined;
  reader: EventReader;
}

/** How long a stream may outlive its session here; the product's own limit is shorter. */
const END_LIMIT_MS = 30_000;

export const live = (shared: () => PulsoByApi) =>
  describe('push and notifications', () => {
    let pulso: PulsoByApi;
    let ana: ApiClient;
    let ben: ApiClient;
    let post: ApiPost;
    let stream: Stream;
    const open: Stream[] = [];

    beforeAll(async () => {
      pulso = shared();
      ana = await pulso.user('ana-rings', { name: 'Ana Vidal' });
      ben = await pulso.user('ben-rings', { name: 'Ben Soto' });
      await pulso.drainEvents();
      post = (await ana.post<ApiPost>('/api/posts', { content: 'Ten kilometres' })).body;
      stream = await streamOf(ana);
    });
    afterAll(() => Promise.all(open.map(({ reader }) => reader.cancel())));

    async function streamOf({ accessToken }: ApiClient): Promise<Stream> {
      const headers = { authorization: `Bearer ${accessToken}` };
      const ask = () => fetch(`${pulso.url}/api/events`, { headers });
      // A gateway that does not hear signals yet answers 503.
      const response = await waitFor(ask, ({ ok }) => ok, { what: 'an open stream' });
      const opened: Stream = { events: [], ended: undefined, reader: new EventReader(response) };
      open.push(opened);
      void follow(opened)
        .catch(String)
        .then((end) => (opened.ended = end));
      await waitFor(
        () => opened.events,
        ({ length }) => length > 0,
        { what: 'the first event' },
      );
      return opened;
    }
    async function follow(opened: Stream): Promise<string> {
      for (let event = await opened.reader.next(); event; event = await opened.reader.next()) {
        opened.events.push(event);
      }
      return 'politely';
    }
    const toldBy = ({ events }: Stream, kind: string) =>
      events.filter(({ event }) => event === kind).map(({ data }) => data as Record<string, unknown>);
    const lastBadges = async () => toldBy(stream, 'badges').at(-1) as Badges | undefined;

    const notifications = () => ana.all<Notification>('/api/notifications');
    /** The counts as the lists have them. */
    const counted = async (): Promise<Badges> => {
      const conversations = await ana.all<{ unreadCount: number }>('/api/conversations');
      return {
        notifications: (await notifications()).filter(({ read }) => !read).length,
        messages: conversations.reduce((sum, { unreadCount }) => sum + unreadCount, 0),
      };
    };
    /** The lists, the call and the stream come to these counts. */
    const comeTo = async (wanted: Badges, after: string) => {
      await waitForEqual(counted, wanted, { what: `the counts of the lists after ${after}` });
      const badges = async () => (await ana.get<Badges>('/api/badges')).body;
      await waitForEqual(badges, wanted, { what: `the badges after ${after}` });
      await waitForEqual<Badges | undefined>(lastBadges, wanted, {
        what: `the event with the badges after ${after}`,
      });
    };

    // Rule: NOTIF-8
    it('a stream begins with the badges', () => {
      expect(stream.events).toEqual([{ event: 'badges', data: { notifications: 0, messages: 0 } }]);
    });

    // Rule: NOTIF-1, NOTIF-2, NOTIF-7, NOTIF-8
    it('tells of a like, a comment, a follow and a message, and all counts agree', async () => {
      expect((await ben.put(`/api/posts/${post.id}/like`)).status).toBe(200);
      const comment = await ben.post<{ id: string }>(`/api/posts/${post.id}/comments`, {
        content: 'Well run',
      });
      expect(comment.status).toBe(201);
      expect((await ben.put(`/api/users/${ana.userId}/follow`)).status).toBeLessThan(300);
      const message = await ben.post<{ id: string }>('/api/messages', {
        receiverId: ana.userId,
        content: 'Tomorrow again?',
      });
      expect(message.status).toBe(201);
      await comeTo({ notifications: 3, messages: 1 }, 'a like, a comment, a follow and a message');

      const inList = await notifications();
      expect(new Set(inList.map(({ type }) => type))).toEqual(new Set(['post_like', 'comment', 'follow']));
      expect(inList.find(({ type }) => type === 'comment')).toMatchObject({
        actor: { id: ben.userId },
        postId: post.id,
        commentId: comment.body.id,
      });
      // An event may come twice.
      const told = new Map(toldBy(stream, 'notification').map((one) => [one['id'], one]));
      expect(told).toEqual(new Map(inList.map((one) => [one.id, one])));
      expect(toldBy(stream, 'message')[0]).toMatchObject({ id: message.body.id, content: 'Tomorrow again?' });
    });

    // Rule: NOTIF-3
    it('takes a notification back with the like', async () => {
      expect((await ben.delete(`/api/posts/${post.id}/like`)).status).toBe(200);
      await comeTo({ notifications: 2, messages: 1 }, 'the end of the like');
      expect((await notifications()).map(({ type }) => type)).not.toContain('post_like');
    });

    // Rule: MSG-6, NOTIF-4, NOTIF-7
    it('takes the badges away by reading, in the other session, too', async () => {
      const elsewhere = await pulso.visitor().logIn(ana.username);
      const [newest] = await notifications();
      expect((await elsewhere.post('/api/notifications/read', { upTo: newest!.id })).status).toBe(204);
      await comeTo({ notifications: 0, messages: 1 }, 'reading the notifications');
      const [conversation] = await ana.all<{ id: string }>('/api/conversations');
      expect((await elsewhere.post(`/api/conversations/${conversation!.id}/read`)).status).toBe(204);
      await comeTo({ notifications: 0, messages: 0 }, 'reading the message');
    });

    // Rule: NOTIF-8
    it('ends the stream with its session, and no other', async () => {
      const elsewhere = await streamOf(await pulso.visitor().logIn(ana.username));
      expect(stream.ended).toBeUndefined();
      expect((await ana.post('/api/auth/logout')).status).toBe(204);
      const ended = async () => stream.ended;
      await waitForEqual<string | undefined>(ended, 'politely', {
        what: 'the end of the stream after the logout',
        limit: END_LIMIT_MS,
      });
      await ben.post('/api/messages', { receiverId: ana.userId, content: 'Are you there?' });
      await waitFor(
        () => toldBy(elsewhere, 'message'),
        (told) => told.length > 0,
        { what: 'the message in the stream of the other session' },
      );
      expect(elsewhere.ended).toBeUndefined();
      expect(toldBy(stream, 'message').map(({ content }) => content)).not.toContain('Are you there?');
    });
  });
