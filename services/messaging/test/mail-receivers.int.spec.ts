import { DevMailbox } from '../src/mail-worker/dev-mailbox.js';
import { MailWriter } from '../src/mail/mail-writer.js';
import { ContactRows } from '../src/projections/contact.schema.js';
import type { Mail } from '../src/store/mail.js';
import { MailCollection } from '../src/store/mail.schema.js';
import { AnnounceSubscriptions } from '../src/subscription/announce-subscriptions.reaction.js';
import { type Person, TestMessaging } from './start.js';
import { addressOf, TestMail } from './support/test-mail.js';

const DAY = 24 * 60 * 60_000;

describe('mails', () => {
  let messaging: TestMessaging;
  let mail: TestMail;
  beforeAll(async () => {
    messaging = await TestMessaging.start();
    mail = await TestMail.start(messaging, { MAIL_TRANSPORT: 'mailbox' });
  });
  beforeEach(() => messaging.clock.advance(1_000));
  afterAll(async () => {
    await mail.stop();
    await messaging.stop();
  });

  /** Of an account that is too old for a welcome. */
  const tell = (person: Person, emailVerified: boolean) =>
    mail.tell(person, { createdAt: messaging.clock.now() - 30 * DAY, emailVerified });
  const somebody = async (emailVerified = true) => {
    const person = await messaging.person();
    await tell(person, emailVerified);
    return person;
  };
  const mailsTo = (person: Person) => mail.worker.get(DevMailbox).list({ to: addressOf(person) });
  const subjectsTo = async (person: Person) => {
    const mails = await mailsTo(person);
    return mails.map(({ subject }) => subject).toReversed();
  };
  const write = (onceKey: string, row: Mail) => messaging.service.get(MailWriter).write(onceKey, row);
  const decide = ({ id: userId }: Person, nth = 1) =>
    write(`moderation-decision_${userId}_${nth}`, {
      ...{ kind: 'moderation-decision', userId },
      facts: { subject: 'account', isHidden: false, reason: 'spam' },
    });
  const announce = ({ id: userId }: Person, subscriber: Person, nth: number) =>
    write(`new-subscriber_${userId}_${nth}`, {
      ...{ kind: 'new-subscriber', userId },
      facts: { subscriberId: subscriber.id },
    });
  const subscribe = (member: Person, coach: Person, active = true) =>
    messaging.subscription(member, coach, { active, version: messaging.clock.now() * 1000 });
  const endOf = (id: string) => messaging.service.get(MailCollection).findOne({ _id: id });

  // Rule: MAIL-9
  describe('to an address that is not verified', () => {
    it('are the welcome alone, which repeats nothing that its owner has chosen', async () => {
      const person = await messaging.person({ name: 'Suspended account' });
      await mail.tell(person, { emailVerified: false });
      await decide(person);
      await mail.work();
      const [welcome, ...others] = await mailsTo(person);
      expect(others).toEqual([]);
      expect(welcome).toMatchObject({ subject: 'Welcome to Pulso' });
      for (const part of [welcome!.text, welcome!.html]) {
        expect(part).toContain('Hello there,');
        expect(part).not.toMatch(/suspended account/i);
      }
    });

    it('are dropped otherwise when their turn comes, and counted', async () => {
      const [coach, member] = [await somebody(false), await somebody()];
      await subscribe(member, coach);
      await decide(coach);
      await mail.work();
      expect(await subjectsTo(coach)).toEqual([]);
      expect(await subjectsTo(member)).toEqual([`You are subscribed to ${coach.name}`]);
      const dropped = { state: 'dropped', reason: 'not verified' };
      expect(await endOf(`moderation-decision_${coach.id}_1`)).toMatchObject(dropped);
      expect(await mail.dropped('new-subscriber', 'not verified')).toBe(1);
      // It is verified now, and gets what comes from now on.
      await tell(coach, true);
      await decide(coach, 2);
      await mail.work();
      expect(await subjectsTo(coach)).toEqual(['Your account was reinstated']);
    });

    it('are dropped where an earlier version has stored the contact, until it is published again', async () => {
      const person = await somebody();
      const { raw } = messaging.service.get(ContactRows);
      await raw.updateOne({ _id: person.id }, { $unset: { emailVerified: '' } });
      await decide(person);
      await mail.work();
      expect(await subjectsTo(person)).toEqual([]);
      await tell(person, true);
      await decide(person, 2);
      await mail.work();
      expect(await subjectsTo(person)).toEqual(['Your account was reinstated']);
    });
  });

  // Rule: MAIL-10
  it('about a subscription tell each side once in 24 hours, however often it begins', async () => {
    const [coach, member] = [await somebody(), await somebody()];
    for (let turn = 0; turn < 21; turn += 1) {
      await subscribe(member, coach, turn % 2 === 0);
      messaging.clock.advance(1_000);
    }
    await mail.work();
    for (const person of [member, coach]) expect(await mailsTo(person)).toHaveLength(1);
    messaging.clock.advance(DAY);
    await messaging.service.get(AnnounceSubscriptions).announceLate(new AbortController().signal);
    await mail.work();
    for (const person of [member, coach]) expect(await mailsTo(person)).toHaveLength(2);
  });

  // Rule: MAIL-10
  it('that may be switched off are 50 a day for each receiver, and the others come all the same', async () => {
    const [coach, member] = [await somebody(), await somebody()];
    for (let nth = 0; nth < 52; nth += 1) await announce(coach, member, nth);
    await mail.work();
    expect(await mailsTo(coach)).toHaveLength(50);
    expect(await mail.dropped('new-subscriber', 'too many a day')).toBe(2);
    await decide(coach);
    await subscribe(coach, member);
    await mail.work();
    expect(await mailsTo(coach)).toHaveLength(51);
    expect(await mail.dropped('subscription-confirmed', 'too many a day')).toBe(1);
    expect(await subjectsTo(member)).toEqual([`New subscriber: ${coach.name}`]);
    messaging.clock.advance(DAY + 1);
    await announce(coach, member, 52);
    await mail.work();
    expect(await mailsTo(coach)).toHaveLength(52);
  });
});
