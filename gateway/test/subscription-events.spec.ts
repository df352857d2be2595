import type { Subscription } from '@pulso/contracts/billing/v1/billing';
import { currentContext } from '@pulso/platform/context/request-context';
import { notFound, unavailable } from '@pulso/platform/errors/domain-error';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { InProcessSignals } from '@pulso/platform/signals/in-process-signals';
import { graphChannel, subscribersChannel, subscriptionChannel } from '@pulso/platform/signals/signals';
import { EventReader } from './support/event-reader.js';
import { aSubscription } from './support/fake-billing.js';
import { aUser, OTHER_ID, USER_ID } from './support/fake-clients.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;
let signals: InProcessSignals;
let subscriptions: Map<string, Subscription>;
const open: EventReader[] = [];

beforeEach(async () => {
  signals = new InProcessSignals();
  subscriptions = new Map();
  gateway = await startTestGateway({ signals });
  gateway.billing.getSubscription = ({ coachId }) => {
    const subscription = subscriptions.get(coachId);
    return subscription ? Promise.resolve(subscription) : Promise.reject(notFound());
  };
  gateway.identity.getUsers = ({ ids }) => Promise.resolve({ users: ids.map((id) => aUser({ id })) });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((reader) => reader.cancel()));
  await gateway?.close();
});

async function stream(): Promise<EventReader> {
  const reader = new EventReader(await gateway.call('GET', '/api/events', { token: gateway.token }));
  open.push(reader);
  expect(await reader.next()).toMatchObject({ event: 'badges' });
  return reader;
}

const change = (coachId: string, changes: Partial<Subscription> = {}) => {
  subscriptions.set(coachId, aSubscription({ userId: USER_ID, coachId, ...changes }));
  signals.send(subscriptionChannel(USER_ID, coachId));
};
const requests = (method: string) =>
  gateway.calls.filter((recorded) => recorded.method === method).map(({ request }) => request);

// Rule: NOTIF-11
describe('a stream of events', () => {
  it('tells each page of the user a subscription that has changed, as its own call answers it', async () => {
    const readers = [await stream(), await stream()];
    change(OTHER_ID);
    const { items } = (await (await gateway.call('GET', '/api/subscriptions')).json()) as { items: object[] };
    const shown = { ...items[0], coach: expect.objectContaining({ id: OTHER_ID }) };
    for (const reader of readers) {
      expect(await reader.next()).toEqual({ event: 'subscription', data: shown });
    }
    expect(requests('getSubscription')).toEqual([{ coachId: OTHER_ID }]);
  });

  // Rule: HTTP-33
  it('says what is to be waited for, as billing does: with the event’s id the posts are read as they are then', async () => {
    const written = (coachId: string, version: number) => ({
      topic: 'pulso.billing.subscription.v1',
      key: `${USER_ID}_${coachId}`,
      version,
    });
    const reader = await stream();
    const { getSubscription } = gateway.billing;
    const changeTo = async (coachId: string, version: number) => {
      gateway.billing.getSubscription = (...args) => {
        currentContext()!.wrote.push(written(coachId, version));
        return getSubscription!(...args);
      };
      change(coachId);
      return (await reader.next())!.id!;
    };
    const waitedFor = async (id: string) => {
      await gateway.call('GET', '/api/feed', { headers: { 'pulso-after': id } });
      const { context } = gateway.calls.findLast(({ method }) => method === 'getFeed')!;
      return context!.after.map(({ topic, key, version }) => ({ topic, key, version }));
    };
    expect(await waitedFor(await changeTo(OTHER_ID, 1))).toEqual([written(OTHER_ID, 1)]);
    const ids = Array.from({ length: 9 }, () => newId());
    let last = await changeTo(OTHER_ID, 2);
    expect(await waitedFor(last)).toEqual([written(OTHER_ID, 2)]);
    for (const id of ids) last = await changeTo(id, 1);
    expect(await waitedFor(last)).toEqual(ids.slice(-8).map((id) => written(id, 1)));
    // Nothing is to be waited for any more.
    gateway.clock.advance(60_000);
    expect(await waitedFor(last)).toEqual([]);
  });

  it('tells its end', async () => {
    const reader = await stream();
    change(OTHER_ID, { givesAccess: false });
    expect(await reader.next()).toMatchObject({
      event: 'subscription',
      data: { coach: { id: OTHER_ID, viewer: { subscribed: false } } },
    });
  });

  it('tells nothing of others, nor of a subscription that there is not', async () => {
    const reader = await stream();
    signals.send(subscriptionChannel(OTHER_ID, USER_ID));
    signals.send('subscription:');
    signals.send(`subscription:${USER_ID}`);
    signals.send(subscriptionChannel(USER_ID, newId()));
    change(OTHER_ID);
    expect(await reader.next()).toMatchObject({ data: { coach: { id: OTHER_ID } } });
  });

  it('tells of any number of coaches', async () => {
    const reader = await stream();
    const ids = Array.from({ length: 50 }, () => newId());
    for (const id of ids) change(id);
    const told: string[] = [];
    while (told.length < ids.length) {
      const event = await reader.next();
      told.push((event!.data as { coach: { id: string } }).coach.id);
    }
    expect(told).toEqual(ids);
  });

  it('ends when billing does not answer', async () => {
    const reader = await stream();
    gateway.billing.getSubscription = () => Promise.reject(unavailable());
    signals.send(subscriptionChannel(USER_ID, OTHER_ID));
    expect(await reader.rest()).toEqual([]);
  });

  // Rule: NOTIF-10
  it('tells follows and blocks also while billing is down', async () => {
    const reader = await stream();
    gateway.billing.getStandings = () => Promise.reject(unavailable());
    signals.send(graphChannel(USER_ID, OTHER_ID));
    expect(await reader.next()).toMatchObject({
      event: 'graph',
      data: { userId: OTHER_ID, viewer: { following: false, subscribed: null } },
    });
  });
});

// Rule: NOTIF-15
describe('a coach’s stream of events', () => {
  const told = { event: 'subscribers', data: {} };

  it('tells each page that subscribers have changed, and nothing of whom', async () => {
    const readers = [await stream(), await stream()];
    gateway.calls.length = 0;
    signals.send(subscribersChannel(USER_ID));
    for (const reader of readers) expect(await reader.next()).toEqual(told);
    expect(gateway.calls).toEqual([]);
  });

  it('tells nothing of the subscribers of others', async () => {
    const reader = await stream();
    signals.send(subscribersChannel(OTHER_ID));
    signals.send('subscribers:');
    signals.send(subscriptionChannel(OTHER_ID, USER_ID));
    signals.send(subscribersChannel(USER_ID));
    expect(await reader.next()).toEqual(told);
    change(OTHER_ID);
    expect(await reader.next()).toMatchObject({ event: 'subscription' });
  });

  // Rule: NOTIF-13
  it('tells it once for many that come within the pace', async () => {
    await gateway.close();
    gateway = await startTestGateway({ signals, readEveryMs: 600_000 });
    const reader = await stream();
    for (let count = 0; count < 20; count += 1) signals.send(subscribersChannel(USER_ID));
    change(OTHER_ID);
    expect(await reader.next()).toEqual(told);
    expect(await reader.next()).toMatchObject({ event: 'subscription' });
  });
});
