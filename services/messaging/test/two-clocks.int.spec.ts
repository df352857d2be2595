import { createLogger } from '@pulso/platform/logging/logger';
import { StoreClock } from '@pulso/platform/mongo/store-clock';
import { InProcessNetwork } from '@pulso/platform/rpc/in-process';
import { readServiceSettings } from '@pulso/platform/service/service-settings';
import { type BootedService, bootService } from '@pulso/platform/service/start-service';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { MessageWriter } from '../src/message/message-writer.js';
import { messaging as definition } from '../src/service.js';
import { between, type Person, TestMessaging } from './start.js';

const BEHIND_MS = 5_000;
const DAY_MS = 24 * 60 * 60_000;

describe('two replicas, for one of which the store’s clock is seconds behind, as after a change of its primary', () => {
  let messaging: TestMessaging;
  let behind: BootedService;
  let storeTime: () => Promise<number>;
  let ada: Person;
  let ben: Person;
  let id: string;
  beforeAll(async () => {
    messaging = await TestMessaging.start();
    behind = await bootService(definition, {
      settings: readServiceSettings(definition, messaging.service.env),
      transport: { kind: 'in-process', network: new InProcessNetwork() },
      bus: { ...messaging.service.bus, subscribe: () => undefined, publish: async () => undefined } as never,
      clock: new ManualClock(messaging.clock.now() - DAY_MS),
      logger: createLogger({ service: 'messaging-test', level: 'fatal' }),
    });
    storeTime = behind.get(StoreClock).now.bind(behind.get(StoreClock));
    messaging.moveStoreClock(behind, BEHIND_MS);
  });
  afterAll(async () => {
    await behind?.close();
    await messaging?.stop();
  });
  beforeEach(async () => {
    messaging.clock.advance(1_000);
    ada = await messaging.person();
    ben = await messaging.person();
    id = between(ada, ben);
  });

  const insert = (
    replica: Pick<BootedService, 'get'>,
    { id: senderId }: Person,
    { id: receiverId }: Person,
    content: string,
  ) => replica.get(MessageWriter).insert({ senderId, receiverId, content, type: 'user' });
  const sendBehind = async (sender: Person, receiver: Person, content: string) =>
    behind.get(MessageWriter).fold(await insert(behind, sender, receiver, content));
  /** Texts with their times after now. */
  const thread = async () =>
    (await messaging.messages(ada, id)).items.map(({ content, createdAt }) => [
      content,
      createdAt - messaging.clock.now(),
    ]);
  const preview = async () => {
    const [conversation] = (await messaging.conversations(ben)).items;
    return [conversation!.lastMessage!.content, conversation!.lastActivity - messaging.clock.now()];
  };

  // Rule: MSG-5, MSG-7
  it('give each message a later time than the one before it, and the preview is the newest', async () => {
    await messaging.send(ada, ben, 'one');
    await sendBehind(ada, ben, 'two');
    await sendBehind(ben, ada, 'three');
    await messaging.send(ada, ben, 'four');
    expect(await thread()).toEqual([
      ['one', 0],
      ['two', 1],
      ['three', 2],
      ['four', 3],
    ]);
    expect(await preview()).toEqual(['four', 3]);
    messaging.clock.advance(1_000);
    await messaging.send(ben, ada, 'five');
    expect(await preview()).toEqual(['five', 0]);
  });

  it('show the newest message, whichever is folded first', async () => {
    await messaging.send(ada, ben, 'one');
    const second = await insert(messaging.service, ada, ben, 'two');
    const third = await insert(behind, ben, ada, 'three');
    await behind.get(MessageWriter).fold(third);
    await messaging.service.get(MessageWriter).fold(second);
    expect(await thread()).toEqual([
      ['one', 0],
      ['two', 1],
      ['three', 2],
    ]);
    expect(await preview()).toEqual(['three', 2]);
  });

  it('have the time of the store, and not their own', async () => {
    await sendBehind(ada, ben, 'one');
    expect(await thread()).toEqual([['one', -BEHIND_MS]]);
    const before = Date.now();
    expect(Math.abs((await storeTime()) - before)).toBeLessThan(60_000);
  });

  // Rule: MSG-7
  it('have the right time again after a clock that was far ahead, and keep their order', async () => {
    await messaging.send(ada, ben, 'one');
    messaging.storeAheadMs = DAY_MS;
    await messaging.send(ben, ada, 'ahead');
    messaging.storeAheadMs = 0;
    await messaging.send(ada, ben, 'two');
    expect(await preview()).toEqual(['two', 10_000]);
    messaging.clock.advance(1_000);
    await messaging.send(ben, ada, 'three');
    messaging.clock.advance(20_000);
    await messaging.send(ada, ben, 'four');
    expect(await thread()).toEqual([
      ['one', -21_000],
      ['ahead', DAY_MS - 21_000],
      ['two', -11_000],
      ['three', -10_999],
      ['four', 0],
    ]);
    expect(await preview()).toEqual(['four', 0]);
  });
});
