import { MongoDatabase } from '@pulso/platform/mongo/mongo-database';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { aMongoDatabase } from '@pulso/platform/testing/databases';
import type { Connection, mongo } from 'mongoose';
import { FoldMessages } from '../src/message/fold-messages.job.js';
import { between, type Person, TestMessaging } from './start.js';
import { Acts } from './support/acts.js';

/** What the driver and the service do beside any call. */
const BESIDE = ['hello', 'ping', 'endSessions'];
/** Jobs, and the marks of erased users, which are read every 5 s at most. */
const REGULAR = ['rebuilds', 'mails', 'announced_subscriptions', 'erasedUsers'];
const FOLDING = { find: 'find messages to fold', update: 'clear marks of folded messages' };

/** Such as `find messages`. */
function nameOf({ commandName, command }: mongo.CommandStartedEvent): string {
  const { filter, updates } = command as { filter?: object; updates?: { u: { $unset?: object } }[] };
  if (filter && 'unfolded' in filter) return FOLDING.find;
  if (updates?.some(({ u }) => u.$unset && 'unfolded' in u.$unset)) return FOLDING.update;
  return `${commandName} ${String(command[commandName === 'getMore' ? 'collection' : commandName])}`;
}

/** Each command costs both processes as much as the rest of a call. */
describe('the commands to the document store', () => {
  const database = aMongoDatabase('messaging');
  let messaging: TestMessaging;
  let ada: Person;
  let ben: Person;
  let others: Person[];
  const heard: string[] = [];
  beforeAll(async () => {
    const url = new URL(database.url);
    url.searchParams.set('monitorCommands', 'true');
    messaging = await TestMessaging.start({ MESSAGING_DATABASE_URL: url.href });
    const { connection } = messaging.service.get(MongoDatabase as never) as unknown as {
      connection: Connection;
    };
    connection.getClient().on('commandStarted', (event) => {
      const name = nameOf(event);
      const [command, collection] = name.split(' ');
      if (!BESIDE.includes(command!) && !REGULAR.includes(collection!)) heard.push(name);
    });
    ada = await messaging.person();
    ben = await messaging.person();
    others = await Promise.all(Array.from({ length: 50 }, () => messaging.person()));
    for (const other of others) await messaging.send(other, ada, 'hello');
    await messaging.send(ben, ada, 'hello');
  });
  afterAll(async () => {
    await messaging?.stop();
    await database.drop();
  });

  const taken = () => heard.splice(0).toSorted();
  /** The commands of an act that is repeated: what is remembered after the first time is not asked for. */
  const commandsOf = async (act: () => Promise<unknown>) => {
    await act();
    taken();
    await act();
    return taken().filter((name) => !Object.values(FOLDING).includes(name));
  };

  it('of a message are the insert and the write of its conversation', async () => {
    expect(await commandsOf(() => messaging.send(ada, ben, 'again', { key: newId() }))).toEqual([
      ...['insert messages', 'update conversations'],
    ]);
  });

  it('that clear the marks of messages are as many as the passes of the job', async () => {
    taken();
    for (let i = 0; i < 30; i++) await messaging.send(ada, ben, `${i}`);
    await messaging.service.get(FoldMessages).pass();
    const names = taken();
    const count = (name: string) => names.filter((one) => one === name).length;
    // A pass of the job may have come in between.
    expect(count(FOLDING.update)).toBeGreaterThan(0);
    expect(count(FOLDING.update)).toBeLessThanOrEqual(count(FOLDING.find));
  });

  it('of a page of 50 conversations are one read of them and one of unread messages', async () => {
    expect(await commandsOf(() => messaging.conversations(ada, { limit: 50 }))).toEqual([
      ...['find conversations', 'find messages'],
    ]);
  });

  it('of a page of a conversation are the read of it and the one of its messages', async () => {
    expect(await commandsOf(() => messaging.messages(ada, between(ada, ben), { limit: 20 }))).toEqual([
      ...['find conversations', 'find messages'],
    ]);
  });

  it('of a page of notifications are one read', async () => {
    const acts = new Acts(messaging);
    for (const other of others.slice(0, 20)) await acts.follow(other, ada);
    const page = () => messaging.as(ada, (client) => client.listNotifications({ limit: 20, cursor: '' }));
    expect(await commandsOf(page)).toEqual(['find notifications']);
  });

  it('of a notification are the insert and the look whether its receiver has left', async () => {
    const acts = new Acts(messaging);
    taken();
    await acts.follow(others[30]!, ben);
    expect(taken().filter((name) => !Object.values(FOLDING).includes(name))).toEqual([
      'find users',
      'insert notifications',
    ]);
  });
});
