import { jest } from '@jest/globals';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { createLogger } from '@pulso/platform/logging/logger';
import { InProcessNetwork } from '@pulso/platform/rpc/in-process';
import { readServiceSettings } from '@pulso/platform/service/service-settings';
import { type BootedService, bootService } from '@pulso/platform/service/start-service';
import { FoldMessages } from '../src/message/fold-messages.job.js';
import { MessageWriter } from '../src/message/message-writer.js';
import { messaging as definition } from '../src/service.js';
import { ConversationRepository } from '../src/store/conversation.repository.js';
import { MessageRepository } from '../src/store/message.repository.js';
import { between, outcome, type Person, TestMessaging, texts } from './start.js';

/** More than one pass of the folding takes. */
const MANY = 120;

/** A message is written in two single steps, so each case stops after the first, as a kill would. */
describe('a kill while a message is sent', () => {
  let messaging: TestMessaging;
  let ada: Person;
  let ben: Person;
  let id: string;
  beforeAll(async () => {
    messaging = await TestMessaging.start();
  });
  beforeEach(async () => {
    ada = await messaging.person();
    ben = await messaging.person();
    id = between(ada, ben);
  });
  afterAll(() => messaging?.stop());

  /** Runs `work` with the parts of a replica that never serves and then stops. */
  const inKilledReplica = (work: (parts: Pick<BootedService, 'get'>) => Promise<unknown>) =>
    messaging.service.inKilledReplica((parts) => {
      messaging.moveStoreClock(parts);
      return work(parts);
    });
  /** Starts another replica on the same store, and stops it once it serves. */
  const restart = async () => {
    const booted = await bootService(definition, {
      settings: readServiceSettings(definition, messaging.service.env),
      transport: { kind: 'in-process', network: new InProcessNetwork() },
      bus: { ...messaging.service.bus, subscribe: () => undefined, publish: async () => undefined } as never,
      clock: messaging.clock,
      logger: createLogger({ service: 'messaging-test', level: 'fatal' }),
    });
    messaging.moveStoreClock(booted);
    await (await booted.listen()).close();
  };
  const inserted = (
    parts: Pick<BootedService, 'get'>,
    { id: senderId }: Person,
    { id: receiverId }: Person,
    content: string,
  ) => parts.get(MessageWriter).insert({ senderId, receiverId, content, type: 'user', unreadBy: receiverId });
  const killedAfterInsert = (sender: Person, receiver: Person, content: string) =>
    inKilledReplica((parts) => inserted(parts, sender, receiver, content));
  const seen = async (user: Person) => {
    const { items } = await messaging.conversations(user);
    return items.map(({ lastMessage, unreadCount }) => [lastMessage?.content, unreadCount]);
  };

  // Rule: MSG-3, MSG-5
  it('after the insert leaves a message that the next start shows to both before it serves', async () => {
    await killedAfterInsert(ada, ben, 'committed');
    expect(await seen(ben)).toEqual([]);
    await restart();
    expect([await seen(ada), await seen(ben)]).toEqual([[['committed', 0]], [['committed', 1]]]);
    expect(texts(await messaging.messages(ben, id))).toEqual(['committed']);
  });

  it('after the insert leaves the conversation to a newer message that came meanwhile', async () => {
    await killedAfterInsert(ada, ben, 'older');
    messaging.clock.advance(1_000);
    await messaging.send(ben, ada, 'newer');
    await restart();
    expect([await seen(ada), await seen(ben)]).toEqual([[['newer', 1]], [['newer', 1]]]);
    expect(texts(await messaging.messages(ben, id))).toEqual(['older', 'newer']);
  });

  it('of the writer alone leaves a message that is folded after a while, but none while its writer may do so', async () => {
    const folding = messaging.service.get(FoldMessages);
    await killedAfterInsert(ada, ben, 'committed');
    await folding.pass();
    expect(await seen(ben)).toEqual([]);
    messaging.clock.advance(11_000);
    await folding.pass();
    expect(await seen(ben)).toEqual([['committed', 1]]);
  });

  it('leaves many messages, all of which the next start folds', async () => {
    await inKilledReplica(async (parts) => {
      for (let i = 0; i < MANY; i++) await inserted(parts, ada, ben, `${i}`);
    });
    await restart();
    expect(await seen(ben)).toEqual([[`${MANY - 1}`, MANY]]);
    expect(await messaging.service.get(MessageRepository).listUnfolded(10)).toEqual([]);
  });

  // Rule: HTTP-13
  it('before the answer lets a repetition get the answer, and not a second message', async () => {
    const conversations = messaging.service.get(ConversationRepository);
    const killed = jest.spyOn(conversations, 'fold').mockRejectedValueOnce(new Error('killed'));
    const key = newId();
    expect(await outcome(messaging.send(ada, ben, 'once', { key }))).toBe('internal internal');
    killed.mockRestore();
    expect((await messaging.send(ada, ben, 'once', { key })).content).toBe('once');
    await restart();
    expect([await seen(ada), await seen(ben)]).toEqual([[['once', 0]], [['once', 1]]]);
  });
});
