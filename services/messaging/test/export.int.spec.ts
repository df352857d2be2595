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
});
