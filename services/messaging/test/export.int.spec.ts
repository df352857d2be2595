import { everythingHeld, sectionsThatSkip } from '@pulso/platform/testing/exported';
import { ExportedRows } from '../src/store/exported-rows.js';
import { type Person, TestMessaging } from './start.js';
import { Acts } from './support/acts.js';

let messaging: TestMessaging;
let acts: Acts;
beforeAll(async () => {
  messaging = await TestMessaging.start();
  acts = new Acts(messaging);
});
afterAll(() => messaging?.stop());

const heldOf = (person: Person) =>
  everythingHeld((request) => messaging.as(person, (client) => client.exportUser(request)));

// Rule: ACCT-35
describe('what messaging holds of a user', () => {
  it('are both sides of conversations and the notifications they got', async () => {
    const [ada, ben, eve] = [await messaging.person(), await messaging.person(), await messaging.person()];
    await messaging.send(ada, ben, 'see you at six');
    await messaging.send(ben, ada, 'at seven');
    await messaging.send(ben, eve, 'not for Ada');
    await acts.follow(ben, ada);
    await acts.like(ben, ada, {});
    const held = await heldOf(ada);
    expect(held['conversations']).toHaveLength(1);
    expect(held['sentMessages']).toEqual([expect.objectContaining({ content: 'see you at six' })]);
    expect(held['receivedMessages']).toEqual([
      expect.objectContaining({ content: 'at seven', senderId: ben.id }),
    ]);
    expect(held['notifications']!.map(({ actorId }) => actorId)).toEqual([ben.id, ben.id]);
    expect(JSON.stringify(held)).not.toContain('not for Ada');
    expect(await sectionsThatSkip(messaging.service.get(ExportedRows).sections, ada.id)).toEqual([]);
  });

  it.each([
    ['who has blocked them', (ada: Person, ben: Person) => messaging.block(ben, ada)],
    ['whom they have blocked', (ada: Person, ben: Person) => messaging.block(ada, ben)],
    ['who is suspended', (_ada: Person, ben: Person) => messaging.suspend(ben)],
  ])('leaves out somebody %s, as the lists do', async (_who, hide) => {
    const [ada, ben, eve] = [await messaging.person(), await messaging.person(), await messaging.person()];
    for (const other of [ben, eve]) {
      await messaging.send(ada, other, 'see you at six');
      await messaging.send(other, ada, 'at seven');
      await acts.follow(other, ada);
    }
    expect(JSON.stringify(await heldOf(ada))).toContain(ben.id);
    await hide(ada, ben);
    const held = await heldOf(ada);
    expect(JSON.stringify(held)).not.toContain(ben.id);
    for (const section of ['conversations', 'sentMessages', 'receivedMessages', 'notifications'])
      expect([section, held[section]!.length]).toEqual([section, 1]);
    expect((await messaging.conversations(ada)).items).toHaveLength(1);
    expect(await sectionsThatSkip(messaging.service.get(ExportedRows).sections, ada.id)).toEqual([]);
  });
});
