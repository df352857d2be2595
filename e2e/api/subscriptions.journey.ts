import type { ApiClient, ApiPost, Page } from '../support/api-client.js';
import type { PulsoByApi } from '../support/start-pulso.js';
import { waitFor } from '../support/wait-for.js';

interface Subscription {
  id: string;
  coach: { id: string; viewer: { subscribed: boolean } };
  status: string;
  price: number | null;
  currency: string | null;
}

interface Profile {
  subscriptionPrice: number | null;
  subscriptionCurrency: string | null;
  stats: { subscribers: number };
  viewer: { subscribed: boolean };
}

interface Dashboard {
  totalSubscribers: number;
  activeSubscriptions: number;
  monthlyRevenue: number;
  currency: string;
  subscribers: Page<{ user: { id: string; email: string | null }; status: string }>;
}

interface Message {
  type: string;
  senderId: string;
  event: { kind: string } | null;
}

/** Flags are one grapheme each, of two code points. */
const FLAG = '🇲🇽';
const SECRET = `${FLAG.repeat(200)} and the whole plan of the week`;

export const subscriptions = (shared: () => PulsoByApi) =>
  describe('subscriptions', () => {
    let pulso: PulsoByApi;
    let coach: ApiClient;
    let member: ApiClient;
    let post: ApiPost;

    beforeAll(async () => {
      pulso = shared();
      coach = await pulso.user('coach-sells', { name: 'Ana Cobra', isCoach: true });
      member = await pulso.user('member-pays', { name: 'Ben Paga' });
      await pulso.drainEvents();
    });

    const to = ({ userId }: ApiClient) => `/api/subscriptions/${userId}`;
    const asSeen = async () => (await member.get<ApiPost>(`/api/posts/${post.id}`)).body;
    const comments = () => member.get(`/api/posts/${post.id}/comments`);
    const profile = async () => (await member.get<Profile>(`/api/users/${coach.userId}`)).body;
    const dashboard = async () => (await coach.get<Dashboard>('/api/dashboard')).body;
    const live = () => member.all<Subscription>('/api/subscriptions');
    const inFeed = async () => (await member.all<ApiPost>('/api/feed')).find(({ id }) => id === post.id);
    const untilLocked = (locked: boolean) =>
      waitFor(asSeen, (seen) => seen.locked === locked, {
        what: `a post that is ${locked ? '' : 'un'}locked`,
      });
    const systemEvents = async () => {
      const conversations = await member.all<{ id: string; otherUser: { id: string } }>('/api/conversations');
      const one = conversations.find(({ otherUser }) => otherUser.id === coach.userId);
      if (!one) return [];
      const messages = await member.all<Message>(`/api/conversations/${one.id}/messages`);
      return messages.filter(({ type }) => type === 'system').map(({ event }) => event?.kind);
    };

    // Rule: SUBS-4
    it('a coach sets a price and publishes for subscribers', async () => {
      const price = { subscriptionPrice: 400, subscriptionCurrency: 'MXN' };
      expect(await coach.patch('/api/me', price)).toMatchObject({ status: 200, body: price });
      const published = await coach.post<ApiPost>('/api/posts', {
        content: SECRET,
        visibility: 'subscribers',
      });
      expect(published.status).toBe(201);
      post = published.body;
      await waitFor(profile, ({ subscriptionPrice }) => subscriptionPrice === 400, { what: 'the price' });
      expect(await profile()).toMatchObject({
        ...price,
        stats: { subscribers: 0 },
        viewer: { subscribed: false },
      });
      await waitFor(
        async () => (await asSeen()).author as unknown as Profile,
        ({ subscriptionPrice }) => subscriptionPrice === 400,
        { what: 'the price beside the post' },
      );
    });

    // Rule: POST-6
    it('a member sees a hundred characters of it, as they are counted on a screen', async () => {
      expect(await asSeen()).toMatchObject({ locked: true, truncated: true, content: FLAG.repeat(100) });
      expect(await comments()).toMatchObject({ status: 403, body: { code: 'subscription-required' } });
      expect((await member.put(`/api/users/${coach.userId}/follow`)).status).toBe(200);
    });

    // Rule: SUBS-8, SUBS-10
    it('twenty presses at once are one subscription', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => member.put<Subscription>(to(coach))),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      expect(answers[0]!.body).toMatchObject({ status: 'active', price: 400, currency: 'MXN' });
      expect(await live()).toHaveLength(1);
      expect(await profile()).toMatchObject({ stats: { subscribers: 1 }, viewer: { subscribed: true } });
    });

    // Rule: SUBS-9, SUBS-30
    it('opens the post, its comments and the feed', async () => {
      await untilLocked(false);
      expect(await asSeen()).toMatchObject({ locked: false, content: SECRET });
      expect((await comments()).status).toBe(200);
      expect((await member.post(`/api/posts/${post.id}/comments`, { content: 'On it' })).status).toBe(201);
      const shown = await waitFor(inFeed, (one) => one !== undefined, { what: 'the post in the feed' });
      expect(shown).toMatchObject({ locked: false, content: SECRET });
    });

    // Rule: PEOPLE-32
    it('gives the review its badge', async () => {
      const path = `/api/coaches/${coach.userId}/reviews/mine`;
      const review = () => member.call('PUT', path, { rating: 5, comment: 'It works.' });
      await waitFor(review, ({ body }) => body['verifiedSubscriber'] === true, { what: 'the badge' });
    });

    // Rule: SUBS-26, SUBS-27, SUBS-29
    it('stands in the coach’s dashboard, with the address', async () => {
      const told = ({ subscribers }: Dashboard) => subscribers.items[0]?.user.email ?? null;
      const shown = await waitFor(dashboard, (one) => told(one) !== null, { what: 'the address' });
      expect(shown).toMatchObject({
        totalSubscribers: 1,
        activeSubscriptions: 1,
        monthlyRevenue: 400,
        currency: 'MXN',
        subscribers: {
          items: [
            { user: { id: member.userId, email: `${member.username}@example.test` }, status: 'active' },
          ],
        },
      });
      expect(await member.get('/api/dashboard')).toMatchObject({
        status: 403,
        body: { detail: 'Access denied. Only coaches can view the dashboard.' },
      });
    });

    // Rule: NOTIF-2, MSG-10
    it('is told to the coach, and stands in the conversation of the two', async () => {
      const notifications = () => coach.all<{ type: string; actor: { id: string } }>('/api/notifications');
      const isOfMember = (one: { type: string; actor: { id: string } }) =>
        one.type === 'subscription' && one.actor.id === member.userId;
      await waitFor(notifications, (all) => all.some(isOfMember), { what: 'the notification' });
      await waitFor(systemEvents, (kinds) => kinds.includes('subscription-started'), {
        what: 'the system message',
      });
    });

    // Rule: SUBS-8, SUBS-21
    it('refuses oneself, a member, nobody, and money that is none', async () => {
      expect(await coach.put(to(coach))).toMatchObject({
        status: 422,
        body: { code: 'cannot-subscribe-self' },
      });
      expect(await coach.put(to(member))).toMatchObject({ status: 422, body: { code: 'not-a-coach' } });
      expect((await member.put('/api/subscriptions/0198f2a4-7c10-7b3e-9d61-3f2a8c5e1b07')).status).toBe(404);
      for (const subscriptionPrice of [-1, 0.3, 100_000.5]) {
        expect((await coach.patch('/api/me', { subscriptionPrice })).status).toBe(400);
      }
      expect((await member.patch('/api/me', { subscriptionPrice: 400 })).status).toBe(403);
      const uid = member.userId;
      expect((await coach.post('/api/stripe/connect/create-account', { uid })).status).toBe(403);
      expect(await profile()).toMatchObject({ subscriptionPrice: 400, stats: { subscribers: 1 } });
      expect(await live()).toHaveLength(1);
    });

    // Rule: SUBS-11, SUBS-27
    it('closes everywhere when it is cancelled, and begins again under its id', async () => {
      const [before] = await live();
      const ended = await member.delete<Subscription>(to(coach));
      expect(ended).toMatchObject({ status: 200, body: { id: before!.id, status: 'cancelled' } });
      expect((await member.delete<Subscription>(to(coach))).body.id).toBe(before!.id);
      expect(await live()).toEqual([]);
      await untilLocked(true);
      expect((await comments()).status).toBe(403);
      expect((await inFeed())?.content).not.toBe(SECRET);
      expect(await profile()).toMatchObject({ stats: { subscribers: 0 }, viewer: { subscribed: false } });
      expect(await dashboard()).toMatchObject({
        totalSubscribers: 1,
        activeSubscriptions: 0,
        monthlyRevenue: 0,
        subscribers: { items: [{ user: { email: null }, status: 'cancelled' }] },
      });
      await waitFor(systemEvents, (kinds) => kinds.includes('subscription-ended'), {
        what: 'the system message of the end',
      });
      expect(await member.put<Subscription>(to(coach))).toMatchObject({
        status: 200,
        body: { id: before!.id, status: 'active' },
      });
      await untilLocked(false);
    });

    // Rule: SUBS-12, PEOPLE-25
    it('ends with a block, after which nobody can subscribe', async () => {
      expect((await coach.put(`/api/users/${member.userId}/block`)).status).toBe(204);
      await waitFor(live, ({ length }) => length === 0, { what: 'the end of the subscription' });
      expect((await member.put(to(coach))).status).toBe(404);
      expect((await coach.delete(`/api/users/${member.userId}/block`)).status).toBe(204);
      expect(await live()).toEqual([]);
    });
  });
