import { jest } from '@jest/globals';
import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { contactTopic } from '@pulso/contracts/topics/identity';
import { eventOf } from '@pulso/platform/events/event-record';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { MailWork } from '../src/mail-worker/mail-work.js';
import { WelcomeMail } from '../src/mail/welcome-mail.reaction.js';
import { ContactRows } from '../src/projections/contact.schema.js';
import { MailRepository } from '../src/store/mail.repository.js';
import { MailCollection, type MailDocument } from '../src/store/mail.schema.js';
import { type Person, TestMessaging } from './start.js';
import { addressOf, DOMAIN, type Received, TestMail, TestMailServer } from './support/test-mail.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('mails', () => {
  let messaging: TestMessaging;
  let server: TestMailServer;
  let mail: TestMail;
  beforeAll(async () => {
    messaging = await TestMessaging.start();
    server = await TestMailServer.start();
    mail = await TestMail.start(messaging, { SMTP_URL: server.url });
  });
  beforeEach(() => {
    server.mails.length = 0;
  });
  afterEach(() => {
    expect(server.refusals).toEqual([]);
    // Rule: MAIL-8
    expect(mail.logged.join('')).not.toContain(DOMAIN);
  });
  afterAll(async () => {
    await mail.stop();
    await server.stop();
    await messaging.stop();
  });

  const to = ({ id }: Person): Received[] =>
    server.mails.filter((each) => each.to.includes(addressOf({ id })));
  const row = async (id: string): Promise<MailDocument> =>
    (await messaging.service.get(MailCollection).findOne({ _id: id }))!;
  const welcomeOf = ({ id }: Person) => row(`welcome_${id}`);
  const newcomer = async () => {
    const person = await messaging.person();
    await mail.tell(person);
    return person;
  };

  // Rule: MAIL-1
  describe('welcome', () => {
    it('go from the event over a row to the mail server, with what mail programs need', async () => {
      const person = await newcomer();
      expect(await welcomeOf(person)).toMatchObject({ kind: 'welcome', state: 'waiting', attempts: 0 });
      await mail.work();
      expect(to(person)).toHaveLength(1);
      const { from, header, raw } = to(person)[0]!;
      expect(from).toBe('no-reply@pulso.example');
      expect(header('From')).toBe('Pulso <no-reply@pulso.example>');
      expect(header('To')).toBe(addressOf(person));
      expect(header('Subject')).toBe('Welcome to Pulso');
      expect(header('Message-ID')).toBe(`<welcome_${person.id}@pulso.example>`);
      expect(new Date(header('Date')!).getTime()).toBe(messaging.clock.now());
      expect(header('Auto-Submitted')).toBe('auto-generated');
      expect(header('List-Unsubscribe')).toBeUndefined();
      expect(header('Content-Type')).toContain('multipart/alternative');
      expect(raw).toContain('Content-Type: text/plain; charset=utf-8');
      expect(raw).toContain('Content-Type: text/html; charset=utf-8');
      const sent = await welcomeOf(person);
      expect(sent).toMatchObject({ state: 'sent', attempts: 1 });
      // Rule: MAIL-8
      expect(JSON.stringify(sent)).not.toContain(DOMAIN);
      expect(await mail.count('welcome', 'sent')).toBeGreaterThan(0);
    });

    it('are sent once, whatever is delivered again', async () => {
      const person = await messaging.person();
      const first = mail.contact(person);
      const reaction = messaging.service.get(WelcomeMail);
      await messaging.tell(contactTopic, first);
      await mail.work();
      await Promise.all([first, first, first].map((state) => reaction.handle(state)));
      await mail.tell(person, { language: 'es' });
      await messaging.service.bus.publish([{ ...eventOf(contactTopic, first), republished: true }]);
      await messaging.service.drainEvents();
      messaging.clock.advance(6 * DAY);
      // A new consumer group reads a week of history.
      await reaction.handle(first);
      await mail.work();
      expect(to(person)).toHaveLength(1);
    });

    it('are not written for accounts older than the events that are kept, suspended or deleted ones', async () => {
      const old = await messaging.person();
      await mail.tell(old, { createdAt: messaging.clock.now() - 7 * DAY });
      const [suspended, deleted] = [await messaging.person(), await messaging.person()];
      await mail.tell(suspended, { status: UserStatus.USER_STATUS_SUSPENDED });
      await mail.tell(deleted, { status: UserStatus.USER_STATUS_DELETED, email: '' });
      for (const person of [old, suspended, deleted]) expect(await welcomeOf(person)).toBeNull();
    });

    it('go to nobody whose account has ended before they are sent', async () => {
      const [suspended, deleted] = [await newcomer(), await newcomer()];
      await mail.tell(suspended, { status: UserStatus.USER_STATUS_SUSPENDED });
      await mail.tell(deleted, { status: UserStatus.USER_STATUS_DELETED });
      await mail.work();
      expect(server.mails).toEqual([]);
      expect(await welcomeOf(suspended)).toMatchObject({ state: 'dropped', reason: 'suspended' });
      expect(await welcomeOf(deleted)).toMatchObject({ state: 'dropped', reason: 'deleted' });
      expect(await messaging.service.get(ContactRows).findOne({ _id: deleted.id })).toMatchObject({
        status: 'deleted',
        email: '',
        unsubscribeToken: '',
      });
    });

    it('wait for the name of their receiver', async () => {
      const person = { id: newIdAt(messaging.clock.now()), name: 'Late' };
      await mail.tell(person);
      await mail.work();
      expect(await welcomeOf(person)).toMatchObject({ state: 'waiting', attempts: 0 });
      await messaging.change(person, {
        name: 'Late',
        username: 'late',
        status: UserStatus.USER_STATUS_ACTIVE,
      });
      await mail.work();
      expect(to(person)).toEqual([]);
      messaging.clock.advance(5_000);
      await mail.work();
      expect(to(person)).toHaveLength(1);
    });
  });

  // Rule: MAIL-2
  describe('about subscriptions', () => {
    let member: Person;
    let coach: Person;
    const people = async (ofCoach: Parameters<TestMail['tell']>[1] = {}) => {
      member = await newcomer();
      coach = await messaging.person({ isCoach: true, username: 'carla' });
      await mail.tell(coach, { language: 'es', ...ofCoach });
      await mail.work();
      server.mails.length = 0;
    };
    const subscribe = (active = true) =>
      messaging.subscription(member, coach, { active, version: messaging.clock.now() * 1000 });

    it('tell both sides, each in their language, once a beginning', async () => {
      await people();
      await subscribe();
      messaging.clock.advance(1);
      await subscribe();
      await mail.work();
      expect(to(member).map(({ header }) => header('Subject'))).toEqual([
        `You are subscribed to ${coach.name}`,
      ]);
      expect(to(coach)).toHaveLength(1);
      expect(to(coach)[0]!.raw).toContain('lang=3D"es"');
      messaging.clock.advance(DAY);
      await subscribe(false);
      messaging.clock.advance(DAY);
      await subscribe();
      await mail.work();
      for (const person of [member, coach]) expect(to(person)).toHaveLength(2);
    });

    it('can be switched off from the mail program', async () => {
      await people();
      await subscribe();
      await mail.work();
      const { header } = to(member)[0]!;
      const token = `subscriptions.token-${member.id}`;
      expect(header('List-Unsubscribe')).toBe(`<https://pulso.example/unsubscribe?token=${token}>`);
      expect(header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
      expect(header('List-Id')).toBe('<notifications.pulso.example>');
    });

    it('go only to those who want them when they are sent', async () => {
      await people();
      await subscribe();
      await mail.tell(coach, { wantsSubscriptionMails: false });
      await mail.work();
      expect(to(coach)).toEqual([]);
      expect(to(member)).toHaveLength(1);
      const at = messaging.clock.now();
      const dropped = await row(`new-subscriber_${member.id}_${coach.id}_${at}`);
      expect(dropped).toMatchObject({ state: 'dropped', reason: 'not wanted' });
    });

    it('say nothing of whom is gone', async () => {
      await people();
      await subscribe();
      await messaging.remove(member);
      await mail.work();
      expect(to(coach)).toEqual([]);
    });

    it('carry no header or direction that a name brings', async () => {
      await people();
      await messaging.change(member, { name: 'Eve\r\nBcc: victim\r\n\u202emoc live\u200b' });
      await subscribe();
      await mail.work();
      const { header, raw, to: receivers } = to(coach)[0]!;
      expect(receivers).toEqual([addressOf(coach)]);
      expect(header('Bcc')).toBeUndefined();
      const head = raw.slice(0, raw.indexOf('\r\n\r\n'));
      expect(head).not.toMatch(/^bcc:/im);
      expect(header('Subject')).toContain('Eve');
      // U+202E and U+200B, as UTF-8 in an encoded word.
      expect(head).not.toMatch(/=E2=80=AE|=E2=80=8B/i);
    });
  });

  // Rule: MAIL-5
  describe('that are not taken', () => {
    it('are tried again after a minute, then after longer pauses of at most 6 hours', async () => {
      const person = await newcomer();
      let longest = 0;
      for (let attempt = 1; attempt <= 12; attempt += 1) {
        server.refusals.push([attempt % 2 ? 'rcpt' : 'data', attempt % 2 ? 450 : 451]);
        await mail.work();
        const { dueAt, state, attempts } = await welcomeOf(person);
        expect({ state, attempts }).toEqual({ state: 'waiting', attempts: attempt });
        const pause = dueAt!.getTime() - messaging.clock.now();
        const most = Math.min(2 ** (attempt - 1) * MINUTE, 6 * 60 * MINUTE);
        expect(pause).toBeGreaterThanOrEqual(0.8 * most);
        expect(pause).toBeLessThanOrEqual(most);
        longest = Math.max(longest, pause);
        messaging.clock.advance(pause - 1);
        await mail.work();
        messaging.clock.advance(1);
      }
      expect(longest).toBeGreaterThan(4 * 60 * MINUTE);
      expect(server.mails).toEqual([]);
      await mail.work();
      expect(to(person)).toHaveLength(1);
      expect(await welcomeOf(person)).toMatchObject({ state: 'sent' });
    });

    it('are tried again when the mail server cannot be reached', async () => {
      const other = await TestMessaging.start();
      const away = await TestMailServer.start();
      const { url } = away;
      await away.stop();
      const worker = await TestMail.start(other, { SMTP_URL: url });
      try {
        const person = await other.person();
        await worker.tell(person);
        await worker.work();
        const found = await other.service.get(MailCollection).findOne({ _id: `welcome_${person.id}` });
        expect(found).toMatchObject({ state: 'waiting', attempts: 1 });
        expect(found!.reason).toMatch(/ECONNECTION|ESOCKET|ECONNREFUSED/);
        expect(await worker.count('welcome', 'retried')).toBe(1);
        expect(worker.logged.join('')).not.toContain(DOMAIN);
      } finally {
        await worker.stop();
        await other.stop();
      }
    });

    it.each([
      ['rcpt', 550],
      ['data', 554],
    ] as const)('are failed at once when the server refuses them for good (%s %i)', async (step, code) => {
      const person = await newcomer();
      const refused = await mail.count('welcome', 'refused');
      server.refusals.push([step, code]);
      await mail.work();
      expect(await welcomeOf(person)).toMatchObject({ state: 'failed', attempts: 1 });
      expect(await mail.count('welcome', 'refused')).toBe(refused + 1);
      expect(mail.logged.at(-1)).toContain(`"responseCode":${code}`);
      messaging.clock.advance(DAY);
      await mail.work();
      expect(server.mails).toEqual([]);
    });

    it('are given up after 3 days, with an error in the log', async () => {
      const person = await newcomer();
      server.refusals.push(['data', 452]);
      await mail.work();
      messaging.clock.advance(3 * DAY);
      server.refusals.push(['data', 452]);
      await mail.work();
      expect(await welcomeOf(person)).toMatchObject({ state: 'failed', attempts: 2 });
      expect(await mail.count('welcome', 'given_up')).toBe(1);
      expect(JSON.parse(mail.logged.at(-1)!)).toMatchObject({ level: 'error', responseCode: 452 });
      messaging.clock.advance(DAY);
      await mail.work();
      expect(server.mails).toEqual([]);
    });
  });

  // Rule: MAIL-5
  describe('of a worker that is killed', () => {
    it('between sending and marking come twice with one Message-ID', async () => {
      const person = await newcomer();
      const marking = jest.spyOn(mail.worker.get(MailRepository), 'markSent');
      marking.mockImplementationOnce(() => Promise.reject(new Error('killed')));
      await expect(mail.work()).rejects.toThrow('killed');
      marking.mockRestore();
      await mail.work();
      expect(to(person)).toHaveLength(1);
      messaging.clock.advance(5 * MINUTE);
      await mail.work();
      const ids = to(person).map(({ header }) => header('Message-ID'));
      expect(ids).toEqual([ids[0], ids[0]]);
      expect(await welcomeOf(person)).toMatchObject({ state: 'sent', attempts: 2 });
    });

    it('before sending come at once where the next worker knows that there is no other', async () => {
      const [late, begun, own] = [await newcomer(), await newcomer(), await newcomer()];
      server.refusals.push(['rcpt', 450]);
      await mail.worker.get(MailWork).perform(`welcome_${late.id}`);
      const { dueAt } = await welcomeOf(late);
      // Another process's repository names other claims.
      await messaging.service.get(MailRepository).claim(`welcome_${begun.id}`, 5 * MINUTE);
      await mail.worker.get(MailRepository).claim(`welcome_${own.id}`, 5 * MINUTE);
      await mail.work();
      expect(server.mails).toEqual([]);
      await mail.worker.get(MailWork).takeOver();
      await mail.work();
      expect(to(begun)).toHaveLength(1);
      expect([...to(late), ...to(own)]).toEqual([]);
      expect(await welcomeOf(late)).toMatchObject({ dueAt });
      messaging.clock.advance(5 * MINUTE);
      await mail.work();
      for (const person of [late, begun, own]) expect(to(person)).toHaveLength(1);
    });

    it('before sending come once, and workers that race send once', async () => {
      const person = await newcomer();
      const { _id } = await welcomeOf(person);
      await mail.worker.get(MailRepository).claim(_id, 5 * MINUTE);
      await mail.work();
      expect(to(person)).toEqual([]);
      messaging.clock.advance(5 * MINUTE);
      const work = mail.worker.get(MailWork);
      await Promise.all(Array.from({ length: 8 }, () => work.perform(_id)));
      expect(to(person)).toHaveLength(1);
    });
  });

  it('are removed long after their end, and never while they wait', async () => {
    const [ended, waiting] = [await newcomer(), await messaging.person()];
    await mail.work();
    await mail.tell(waiting);
    const mails = messaging.service.get(MailRepository);
    const { signal } = new AbortController();
    messaging.clock.advance(59 * DAY);
    await mails.purge(signal);
    expect(await welcomeOf(ended)).not.toBeNull();
    messaging.clock.advance(2 * DAY);
    await mails.purge(signal);
    expect(await welcomeOf(ended)).toBeNull();
    expect(await welcomeOf(waiting)).not.toBeNull();
    await mail.work();
  });
});
