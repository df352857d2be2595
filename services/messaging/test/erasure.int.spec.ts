import { ContactState, UserStatus } from '@pulso/contracts/identity/v1/events';
import { contactTopic, erasureTopic } from '@pulso/contracts/topics/identity';
import { messagingErasureTopic } from '@pulso/contracts/topics/messaging';
import { likeTopic } from '@pulso/contracts/topics/posts';
import { DELETED_USER_NAME } from '@pulso/contracts/user-status';
import { until } from '@pulso/platform/testing/until';
import { EraseMessaging } from '../src/erasure/erase-messaging.js';
import { ContactRows } from '../src/projections/contact.schema.js';
import { DevMailCollection } from '../src/store/dev-mail.schema.js';
import { MailRepository } from '../src/store/mail.repository.js';
import { MailCollection } from '../src/store/mail.schema.js';
import { NotificationCollection } from '../src/store/notification.schema.js';
import { between, type Person, TestMessaging, texts } from './start.js';
import { Acts } from './support/acts.js';

let messaging: TestMessaging;
let acts: Acts;
let ada: Person;
let ben: Person;
beforeAll(async () => {
  messaging = await TestMessaging.start();
  acts = new Acts(messaging);
});
beforeEach(async () => {
  messaging.clock.advance(1_000);
  [ada, ben] = [await messaging.person(), await messaging.person()];
});
afterAll(() => messaging?.stop());

let asked = 0;
const ask = ({ id: userId }: Person) =>
  messaging.tell(erasureTopic, { userId, version: (asked += 1), requestedAt: 1 });
const contact = ({ id }: Person, status: UserStatus, email = '') => {
  const version = acts.version();
  return messaging.tell(
    contactTopic,
    // Of long ago, so that nobody is welcomed.
    ContactState.fromPartial({ id, version, status, email, language: 'en', createdAt: 1 }),
  );
};
const acknowledgement = async ({ id }: Person) => {
  await messaging.service.drainEvents();
  return messaging.service.deliveredState(messagingErasureTopic, id);
};
const untilErased = (person: Person) =>
  until(async () => (await acknowledgement(person))?.erasedAt !== undefined, { what: 'the acknowledgement' });
const erase = async (person: Person) => {
  await messaging.remove(person);
  await ask(person);
  await untilErased(person);
};
const notifications = (filter: object) => messaging.service.get(NotificationCollection).find(filter);
const mailsOf = ({ id: userId }: Person) => messaging.service.get(MailCollection).find({ userId });

// Rule: ACCT-32
describe('an erased user', () => {
  it('leaves no notification, got or caused, and late events make no new ones', async () => {
    const got = await acts.like(ben, ada, {});
    await acts.like(ada, ben, {});
    await acts.follow(ada, ben);
    const other = await messaging.person();
    await acts.follow(other, ben);
    await erase(ada);
    for (const filter of [{ receiverId: ada.id }, { actorId: ada.id }])
      expect(await notifications(filter)).toEqual([]);
    expect(await notifications({ receiverId: ben.id })).toHaveLength(1);
    await messaging.tell(likeTopic, { ...got, version: acts.version() });
    await acts.follow(ben, ada);
    await acts.follow(ada, ben);
    for (const filter of [{ receiverId: ada.id }, { actorId: ada.id }])
      expect(await notifications(filter)).toEqual([]);
  });

  it('leaves no mail, waiting or sent, and none in the mailbox of development', async () => {
    const mails = messaging.service.get(MailRepository);
    const facts = { subject: 'account', isHidden: true, reason: 'spam' } as const;
    const mail = { kind: 'moderation-decision', userId: ada.id, facts } as const;
    const [waiting, sent] = [`waiting_${ada.id}`, `sent_${ada.id}`];
    await mails.insert(
      new Map([
        [waiting, mail],
        [sent, mail],
        [`of_${ben.id}`, { ...mail, userId: ben.id }],
      ]),
    );
    const box = messaging.service.get(DevMailCollection);
    const letter = { to: 'ada@example.org', subject: 'Ada', text: 'Ada', html: 'Ada', sentAt: new Date(0) };
    await box.raw.insertMany([
      { _id: sent, ...letter },
      { _id: `of_${ben.id}`, ...letter, to: 'ben@example.org' },
    ]);
    await erase(ada);
    expect(await mailsOf(ada)).toEqual([]);
    expect(await mailsOf(ben)).toHaveLength(1);
    expect((await box.find({})).map(({ _id }) => _id)).toEqual([`of_${ben.id}`]);
  });

  it('keeps messages in the other one’s conversation, under the name of a deleted user', async () => {
    await messaging.send(ada, ben, 'see you at six');
    await messaging.send(ben, ada, 'yes');
    await erase(ada);
    expect(texts(await messaging.messages(ben, between(ada, ben)))).toEqual(
      expect.arrayContaining(['see you at six', 'yes']),
    );
    const { items } = await messaging.conversations(ben);
    expect(items.map(({ otherUser }) => [otherUser!.name, otherUser!.username])).toEqual([
      [DELETED_USER_NAME, ''],
    ]);
  });

  it('is erased once the copies of user and contact say that the account is deleted', async () => {
    const eraser = messaging.service.get(EraseMessaging);
    const erasing = () => eraser.erase(ada.id, new AbortController().signal);
    await contact(ada, UserStatus.USER_STATUS_ACTIVE, 'ada@example.org');
    expect(await erasing()).toBe(false);
    await messaging.remove(ada);
    expect(await erasing()).toBe(false);
    await contact(ada, UserStatus.USER_STATUS_DELETED);
    expect(await erasing()).toBe(true);
    const row = await messaging.service.get(ContactRows).findOne({ _id: ada.id });
    expect(row).toMatchObject({ status: 'deleted', email: '', unsubscribeToken: '' });
  });
});

// Rule: ACCT-34
it('a late contact does not give an erased user an address again', async () => {
  await contact(ada, UserStatus.USER_STATUS_DELETED);
  await erase(ada);
  await contact(ada, UserStatus.USER_STATUS_ACTIVE, 'ada@example.org');
  expect(await messaging.service.get(ContactRows).findOne({ _id: ada.id })).toMatchObject({
    ...{ status: 'deleted', email: '' },
  });
});
