import { newId } from '@pulso/platform/ids/uuid-v7';
import { ModeratedMessages } from '../src/moderation/moderated-messages.js';
import { moderationCommands } from '../src/moderation/moderation-commands.js';
import { TestMessaging } from './start.js';

describe('reported messages', () => {
  let messaging: TestMessaging;
  beforeAll(async () => {
    messaging = await TestMessaging.start();
  });
  afterAll(() => messaging?.stop());

  // Rule: PEOPLE-36
  it('are shown to moderators with their neighbours in the conversation', async () => {
    const [ada, ben, cem] = [await messaging.person(), await messaging.person(), await messaging.person()];
    for (const text of ['one', 'two', 'three', 'four']) await messaging.send(ada, ben, text);
    await messaging.send(cem, ada, 'from somebody else');
    const { id } = await messaging.send(ben, ada, 'a "threat"\n> message');
    await messaging.send(ada, ben, 'five');
    await messaging.suspend(ben);

    const { message, before, after } = await messaging.service.running.get(ModeratedMessages).show(id);
    expect(message).toMatchObject({ id, senderId: ben.id, senderStatus: 'suspended', type: 'user' });
    expect([before, after].map((list) => list.map(({ content }) => content))).toEqual([
      ['two', 'three', 'four'],
      ['five'],
    ]);

    const show = moderationCommands['show-message']!.prepare({ operands: [id], options: {} });
    const lines = await show(messaging.service.running);
    expect(lines.slice(9, 12)).toEqual([
      `> message ${id}  ${message.createdAt}`,
      `  from ${message.sender} (${ben.id}, suspended) to ${message.receiver}`,
      '  "a \\"threat\\"\\n> message"',
    ]);
    const json = moderationCommands['show-message']!.prepare({ operands: [id], options: { json: true } });
    expect(JSON.parse((await json(messaging.service.running))[0]!)).toEqual({ message, before, after });
  });

  it.each([newId(), 'nonsense', ''])('are not found: %s', async (id) => {
    await expect(messaging.service.running.get(ModeratedMessages).show(id)).rejects.toMatchObject({
      code: 'not-found',
      message: 'Message not found',
    });
  });
});
