import { jest } from '@jest/globals';
import { AccountNoticeKind, UserStatus } from '@pulso/contracts/identity/v1/events';
import { accountNoticeTopic } from '@pulso/contracts/topics/identity';
import { eventOf } from '@pulso/platform/events/event-record';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { AccountMails } from '../src/mail/account-mails.reaction.js';
import { MailWriter } from '../src/mail/mail-writer.js';
import { DAY_MS, MAX_OPTIONAL_A_DAY } from '../src/store/mail.js';
import { MailRepository } from '../src/store/mail.repository.js';
import { MailCollection } from '../src/store/mail.schema.js';
import { TestMessaging } from './start.js';
import { addressOf, DOMAIN, type Received, TestMail, TestMailServer } from './support/test-mail.js';

const HOUR_MS = 60 * 60_000;
const TOKEN = 'a-token-of-a-link';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0';
const {
  ACCOUNT_NOTICE_KIND_WELCOME: WELCOME,
  ACCOUNT_NOTICE_KIND_VERIFY_EMAIL: VERIFY,
  ACCOUNT_NOTICE_KIND_RESET_PASSWORD: RESET,
  ACCOUNT_NOTICE_KIND_EMAIL_CHANGED: CHANGED,
  ACCOUNT_NOTICE_KIND_NEW_SIGN_IN: SIGN_IN,
  ACCOUNT_NOTICE_KIND_PASSKEY_ADDED: PASSKEY,
  ACCOUNT_NOTICE_KIND_PASSKEY_REMOVED: PASSKEY_GONE,
  ACCOUNT_NOTICE_KIND_PASSWORD_CHANGED: PASSWORD,
} = AccountNoticeKind;

// Rule: MAIL-13
describe('mails about accounts', () => {
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
    messaging.clock.advance(1_000);
  });
  afterEach(() => {
    const logged = mail.logged.join('');
    for (const secret of [DOMAIN, TOKEN]) expect(logged).not.toContain(secret);
  });
  afterAll(async () => {
    await mail.stop();
    await server.stop();
    await messaging.stop();
  });

  /** Whose account notices welcome. */
  const somebody = async (fields: Parameters<TestMail['tell']>[1] = {}) => {
    const person = await messaging.person({ name: 'Ana' });
    await mail.tell(person, { welcomedByNotice: true, ...fields });
    return person;
  };
  const inDays = (days: number) => messaging.clock.now() + days * DAY_MS;
  const to = (address: string) => server.mails.filter((each) => each.to.includes(address));
  const row = (id: string) => messaging.service.get(MailCollection).findOne({ _id: id });
  /** The words, as far as they are ASCII. */
  const textOf = ({ raw }: Received) =>
    raw.replaceAll('=\r\n', '').replaceAll('=3D', '=').replaceAll(/\s+/g, ' ');
  const send = async (...args: Parameters<TestMail['tellOf']>) => {
    const { id } = await mail.tellOf(...args);
    await mail.work();
    return `account_${id}`;
  };

  // Rule: MAIL-1, MAIL-3
  describe('that welcome', () => {
    it('are one an account, whatever is delivered again, and have the link that verifies the address', async () => {
      const person = await somebody({ emailVerified: false });
      expect(await row(`welcome_${person.id}`)).toBeNull();
      const state = await mail.tellOf(person, WELCOME, { token: TOKEN }, { expiresAt: inDays(3) });
      await mail.work();
      const reaction = messaging.service.get(AccountMails);
      await Promise.all([state, state, state].map((each) => reaction.handle(each)));
      await messaging.service.bus.publish([{ ...eventOf(accountNoticeTopic, state), republished: true }]);
      await messaging.service.drainEvents();
      await mail.tell(person, { welcomedByNotice: true, emailVerified: true });
      messaging.clock.advance(2 * DAY_MS);
      // A group that has lost its position reads a week of history again.
      const handled = jest.spyOn(reaction, 'handle');
      await messaging.service.rows(
        `INSERT INTO bus_deliveries (seq, grp, due_at)
         SELECT seq, grp, now() FROM bus_events JOIN bus_subscriptions USING (topic) WHERE reaction`,
      );
      await messaging.service.drainEvents();
      expect(handled).toHaveBeenCalled();
      handled.mockRestore();
      await mail.work();
      const [welcome, ...others] = to(addressOf(person));
      expect(others).toEqual([]);
      expect(welcome!.header('Subject')).toBe('Welcome to Pulso');
      expect(textOf(welcome!)).toContain(`https://pulso.example/verify-email?token=${TOKEN}`);
      // Rule: MAIL-9
      expect(textOf(welcome!)).toContain('Hello there,');
    });

    it('are one also where an earlier version has welcomed the account by its contact', async () => {
      const person = await somebody({ welcomedByNotice: false });
      await mail.tellOf(person, WELCOME, { token: TOKEN });
      await mail.work();
      expect(to(addressOf(person))).toHaveLength(1);
    });

    it('lead to the feed where the address needs no link', async () => {
      const person = await somebody();
      await mail.tellOf(person, WELCOME, {});
      await mail.work();
      const text = textOf(to(addressOf(person))[0]!);
      expect(text).toContain('https://pulso.example/feed');
      expect(text).toContain('Hello Ana,');
      expect(text).not.toContain('verify-email');
    });
  });

  // Rule: MAIL-3, MAIL-9
  it('lead to a new password, also where the address is not verified', async () => {
    const person = await somebody({ emailVerified: false });
    await send(person, RESET, { to: addressOf(person), token: TOKEN }, { expiresAt: inDays(1 / 24) });
    const [only] = to(addressOf(person));
    expect(only!.header('Subject')).toBe('Reset your password');
    expect(only!.header('List-Unsubscribe')).toBeUndefined();
    expect(textOf(only!)).toContain(`https://pulso.example/reset-password?token=${TOKEN}`);
    expect(textOf(only!)).toContain('Hello there,');
  });

  it('verify a new address at that address alone, in the language of the account, without its name', async () => {
    const person = await somebody({ language: 'es' });
    const pending = `pending-${addressOf(person)}`;
    await send(person, VERIFY, { to: pending, token: TOKEN });
    expect(to(addressOf(person))).toEqual([]);
    const [only] = to(pending);
    expect(only!.to).toEqual([pending]);
    expect(only!.header('To')).toBe(pending);
    expect(textOf(only!)).toContain(`https://pulso.example/verify-email?token=${TOKEN}`);
    expect(textOf(only!)).not.toContain('Ana');
  });

  it('tell the old address of a change, without the new one', async () => {
    const person = await somebody();
    const old = `old-${addressOf(person)}`;
    const id = await send(person, CHANGED, { to: old });
    const [only] = to(old);
    expect(only!.header('Subject')).toBe('Your email address was changed');
    expect(only!.raw.replaceAll(old, '')).not.toContain(addressOf(person));
    expect(to(addressOf(person))).toEqual([]);
    expect(await row(id)).toMatchObject({ kind: 'account-notice', state: 'sent' });
  });

  it.each([
    ['a new passkey', PASSKEY, 'A passkey was added to your account', 'settings'],
    ['one that was removed', PASSKEY_GONE, 'A passkey was removed from your account', 'settings'],
    ['a new password', PASSWORD, 'Your password was changed', 'forgot-password'],
  ])('tell of %s, also who wants no mails of the kind security', async (_, kind, subject, page) => {
    const person = await somebody({ wantsSecurityMails: false });
    await send(person, kind, { to: addressOf(person) });
    const [only] = to(addressOf(person));
    expect(only!.header('Subject')).toBe(subject);
    expect(textOf(only!)).toContain(`https://pulso.example/${page}`);
  });

  // Rule: MAIL-9
  it.each([
    ['of a change of address', CHANGED],
    ['of a new sign-in', SIGN_IN],
    ['of a new passkey', PASSKEY],
    ['of a passkey that was removed', PASSKEY_GONE],
    ['of a new password', PASSWORD],
  ])('do not tell %s where the address is not verified', async (_, kind) => {
    const person = await somebody({ emailVerified: false });
    const id = await send(person, kind, { userAgent: FIREFOX, at: 1 });
    expect(server.mails).toEqual([]);
    expect(await row(id)).toMatchObject({ state: 'dropped', reason: 'not verified' });
  });

  it.each([WELCOME, VERIFY, RESET, CHANGED, SIGN_IN, PASSKEY, PASSKEY_GONE, PASSWORD])(
    'of kind %i go to nobody who is suspended or deleted',
    async (kind) => {
      for (const status of [UserStatus.USER_STATUS_SUSPENDED, UserStatus.USER_STATUS_DELETED]) {
        const person = await somebody();
        await mail.tellOf(person, kind, { to: addressOf(person), token: TOKEN });
        await mail.tell(person, { status });
        await mail.work();
      }
      expect(server.mails).toEqual([]);
    },
  );

  // Rule: MAIL-6
  describe('of a new sign-in', () => {
    it('name browser, system and time, and can be switched off', async () => {
      const person = await somebody();
      const at = Date.UTC(2026, 10, 19, 8, 30);
      await send(person, SIGN_IN, { userAgent: FIREFOX, at });
      const [only] = to(addressOf(person));
      const text = textOf(only!);
      expect(text).toContain('with Firefox on Linux');
      expect(text).toContain('November 19, 2026 at 08:30 (UTC)');
      expect(text).not.toContain('x86_64');
      const token = `security.token-${person.id}`;
      expect(only!.header('List-Unsubscribe')).toBe(`<https://pulso.example/unsubscribe?token=${token}>`);
      await mail.tell(person, { welcomedByNotice: true, wantsSecurityMails: false });
      const id = await send(person, SIGN_IN, { userAgent: FIREFOX, at });
      expect(to(addressOf(person))).toHaveLength(1);
      expect(await row(id)).toMatchObject({ state: 'dropped', reason: 'not wanted' });
      await send(person, RESET, { token: TOKEN });
      expect(to(addressOf(person))).toHaveLength(2);
    });

    // Rule: MAIL-10
    it('come although many subscribe to the account, and are 50 a day themselves', async () => {
      const [coach, member] = [await somebody(), await somebody()];
      const writer = messaging.service.get(MailWriter);
      for (let nth = 0; nth < MAX_OPTIONAL_A_DAY; nth += 1)
        await writer.write(`new-subscriber_${coach.id}_${nth}`, {
          ...{ kind: 'new-subscriber', userId: coach.id },
          facts: { subscriberId: member.id },
        });
      await mail.work();
      expect(to(addressOf(coach))).toHaveLength(MAX_OPTIONAL_A_DAY);
      for (let nth = 0; nth < MAX_OPTIONAL_A_DAY; nth += 1) await mail.tellOf(coach, SIGN_IN, { at: 1 });
      await mail.work();
      expect(to(addressOf(coach))).toHaveLength(2 * MAX_OPTIONAL_A_DAY);
      const id = await send(coach, SIGN_IN, { at: 1 });
      expect(await row(id)).toMatchObject({ state: 'dropped', reason: 'too many a day' });
    });
  });

  describe('that expire', () => {
    it('are not written any more', async () => {
      const person = await somebody();
      const { id } = await mail.tellOf(person, RESET, { token: TOKEN }, { expiresAt: messaging.clock.now() });
      expect(await row(`account_${id}`)).toBeNull();
    });

    it('before they can be sent are dropped, which the log and a metric tell', async () => {
      const person = await somebody();
      const dropped = await mail.dropped('account-notice', 'expired');
      server.refusals.push(['rcpt', 450]);
      const id = await send(person, RESET, { token: TOKEN }, { expiresAt: inDays(1 / 24) });
      expect(await row(id)).toMatchObject({ state: 'waiting', attempts: 1 });
      messaging.clock.advance(HOUR_MS);
      await mail.work();
      expect(server.mails).toEqual([]);
      expect(await row(id)).toMatchObject({ state: 'dropped', reason: 'expired' });
      expect(await mail.dropped('account-notice', 'expired')).toBe(dropped + 1);
      expect(JSON.parse(mail.logged.at(-1)!)).toMatchObject({
        ...{ level: 'warn', mail: id, msg: 'a mail has expired before it was sent' },
        reason: 'the mail was not taken: EENVELOPE 450',
      });
    });

    it('wait no longer for a receiver of whom nothing was heard', async () => {
      const stranger = { id: newIdAt(messaging.clock.now()), name: '' };
      const id = await send(stranger, RESET, { token: TOKEN }, { expiresAt: inDays(1 / 24) });
      expect(await row(id)).toMatchObject({ state: 'waiting' });
      messaging.clock.advance(HOUR_MS);
      await mail.work();
      expect(await row(id)).toMatchObject({ state: 'dropped', reason: 'expired' });
    });
  });

  // Rule: MAIL-5
  it('come twice with one Message-ID where a worker is killed between sending and marking, and no more', async () => {
    const person = await somebody();
    const { id } = await mail.tellOf(person, VERIFY, { token: TOKEN });
    const marking = jest.spyOn(mail.worker.get(MailRepository), 'markSent');
    marking.mockImplementationOnce(() => Promise.reject(new Error('killed')));
    await expect(mail.work()).rejects.toThrow('killed');
    marking.mockRestore();
    await mail.work();
    expect(to(addressOf(person))).toHaveLength(1);
    for (let turn = 0; turn < 3; turn += 1) {
      messaging.clock.advance(5 * 60_000);
      await mail.work();
    }
    const ids = to(addressOf(person)).map(({ header }) => header('Message-ID'));
    expect(ids).toEqual([`<account_${id}@pulso.example>`, `<account_${id}@pulso.example>`]);
  });

  it('of a kind that this version does not know are put aside, not lost', async () => {
    const unknown = await mail.notice(await somebody(), 99 as AccountNoticeKind, {});
    await expect(messaging.service.get(AccountMails).handle(unknown)).rejects.toThrow(
      'not a kind of account notice: 99',
    );
  });
});
