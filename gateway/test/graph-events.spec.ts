import type { Relation } from '@pulso/contracts/social/v1/social';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { InProcessSignals } from '@pulso/platform/signals/in-process-signals';
import { graphChannel, userChannel } from '@pulso/platform/signals/signals';
import { EventReader } from './support/event-reader.js';
import { aRelation, OTHER_ID, USER_ID } from './support/fake-clients.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;
let signals: InProcessSignals;
let relations: Map<string, Relation>;
const open: EventReader[] = [];

beforeEach(async () => {
  signals = new InProcessSignals();
  relations = new Map();
  gateway = await startTestGateway({ signals });
  gateway.social.getRelations = ({ userIds }) =>
    Promise.resolve({ relations: userIds.map((userId) => relations.get(userId) ?? aRelation({ userId })) });
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

const change = (userId: string, relation: Partial<Relation>) => {
  relations.set(userId, aRelation({ userId, ...relation }));
  signals.send(graphChannel(USER_ID, userId));
};
const reads = () => gateway.calls.filter(({ method }) => method === 'getRelations');

// Rule: NOTIF-10
describe('a stream of events', () => {
  it('tells each page of the user what another user is to them from now on, as in a profile', async () => {
    const readers = [await stream(), await stream()];
    change(OTHER_ID, { following: true, followsYou: true });
    const viewer = {
      isSelf: false,
      following: true,
      followsYou: true,
      subscribed: false,
      subscription: null,
      reviewed: false,
      blocked: false,
    };
    for (const reader of readers) {
      expect(await reader.next()).toEqual({ event: 'graph', data: { userId: OTHER_ID, viewer } });
    }
    expect(reads()).toMatchObject([
      { request: { userIds: [OTHER_ID] }, context: { authorization: `Bearer ${gateway.token}` } },
    ]);
  });

  it('tells nothing of a user who has blocked the viewer, nor of other people', async () => {
    const reader = await stream();
    signals.send(graphChannel(OTHER_ID, USER_ID));
    signals.send('graph:');
    signals.send(`graph:${USER_ID}`);
    const blocker = newId();
    change(blocker, { blockedBy: true });
    change(OTHER_ID, { blocked: true });
    expect(await reader.next()).toMatchObject({
      event: 'graph',
      data: { userId: OTHER_ID, viewer: { blocked: true } },
    });
    expect(reads().flatMap(({ request }) => (request as { userIds: string[] }).userIds)).toEqual([
      blocker,
      OTHER_ID,
    ]);
  });

  it('tells of any number of users, in readings of at most 100', async () => {
    const reader = await stream();
    const ids = Array.from({ length: 250 }, () => newId());
    for (const id of ids) signals.send(graphChannel(USER_ID, id));
    const told: unknown[] = [];
    while (told.length < ids.length) {
      const event = await reader.next();
      told.push((event!.data as { userId: string }).userId);
    }
    expect(told).toEqual(ids);
    for (const { request } of reads()) {
      expect((request as { userIds: string[] }).userIds.length).toBeLessThanOrEqual(100);
    }
  });

  it('ends when social does not answer; what messaging tells does not wait for it', async () => {
    const reader = await stream();
    let fail!: (error: unknown) => void;
    gateway.social.getRelations = () => new Promise((_, reject) => (fail = reject));
    signals.send(graphChannel(USER_ID, OTHER_ID));
    gateway.messaging.listNews = () =>
      Promise.resolve({
        counts: { notifications: 1, messages: 0 },
        messages: [],
        notifications: [],
        moreMessages: false,
        moreNotifications: false,
      });
    signals.send(userChannel(USER_ID));
    expect(await reader.next()).toMatchObject({ event: 'badges', data: { notifications: 1 } });
    fail(unavailable());
    expect(await reader.rest()).toEqual([]);
  });
});
