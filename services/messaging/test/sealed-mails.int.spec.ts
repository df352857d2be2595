import { AccountNoticeKind } from '@pulso/contracts/identity/v1/events';
import {
  createMessageSealer,
  generateSealingKey,
  publicSealingKey,
} from '@pulso/platform/auth/sealed-message';
import { MailRepository } from '../src/store/mail.repository.js';
import { MailCollection } from '../src/store/mail.schema.js';
import { TestMessaging } from './start.js';
import { addressOf, DOMAIN, TestMail, TestMailServer } from './support/test-mail.js';

const HOUR_MS = 60 * 60_000;
const TOKEN = 'a-token-of-a-link';
const { ACCOUNT_NOTICE_KIND_VERIFY_EMAIL: VERIFY, ACCOUNT_NOTICE_KIND_RESET_PASSWORD: RESET } =
  AccountNoticeKind;
/** The states of events are bytes, and so not readable in a row as text. */
const BUS_TABLES = {
  bus_events: `SELECT to_jsonb(t) AS row, encode(payload, 'escape') AS state FROM bus_events t`,
  bus_deliveries: 'SELECT * FROM bus_deliveries',
  bus_dead_letters: 'SELECT * FROM bus_dead_letters',
};

// Rule: MAIL-13
describe('what identity seals for mails', () => {
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

  const somebody = async () => {
    const person = await messaging.person();
    await mail.tell(person, { welcomedByNotice: true });
    return person;
  };
  const to = (address: string) => server.mails.filter((each) => each.to.includes(address));
  const row = (id: string) => messaging.service.get(MailCollection).findOne({ _id: id });
  const send = async (...args: Parameters<TestMail['tellOf']>) => {
    const { id } = await mail.tellOf(...args);
    await mail.work();
    return `account_${id}`;
  };

  describe('and cannot be opened', () => {
    it('waits for the key, and the log says that it is missing', async () => {
      const person = await somebody();
      const other = createMessageSealer(publicSealingKey(await generateSealingKey()));
      const sealed = await other.seal(new TextEncoder().encode(JSON.stringify({ token: TOKEN })));
      const id = await send(person, VERIFY, {}, { sealed });
      expect(server.mails).toEqual([]);
      expect(await row(id)).toMatchObject({ state: 'waiting', attempts: 1, reason: 'an error of our own' });
      expect(mail.logged.at(-1)).toContain('sealed for a key that is not there');
    });

    it('is not repeated in the log where it is no notice', async () => {
      const person = await somebody();
      const bytes = new TextEncoder().encode(`${addressOf(person)} ${TOKEN}`);
      const id = await send(person, VERIFY, {}, { sealed: await messaging.service.keys.sealer.seal(bytes) });
      expect(await row(id)).toMatchObject({ state: 'waiting', attempts: 1 });
      expect(mail.logged.at(-1)).toContain('what identity has sealed is no notice');
    });
  });

  it.each([
    '\r\nBcc: eve@eve.test',
    '>\r\nRCPT TO:<eve@eve.test',
    ', eve@eve.test',
    ' <eve@eve.test>',
    '@eve.test',
    '\n',
  ])('brings no header and no second receiver by an address: %j', async (suffix) => {
    const person = await somebody();
    const id = await send(person, VERIFY, { to: `${addressOf(person)}${suffix}`, token: TOKEN });
    expect(server.mails).toEqual([]);
    expect(await row(id)).toMatchObject({ state: 'failed', reason: 'the mail was not taken: EENVELOPE' });
  });

  // Rule: MAIL-8
  describe('leaves', () => {
    /** Every row of messaging's store and of the event bus, by where it stands, that has one of the texts. */
    const placesOf = async (...secrets: string[]) => {
      const { db } = messaging.service.get(MailCollection).raw;
      const collections = await db.listCollections({}, { nameOnly: true }).toArray();
      const stored = collections.map(async ({ name }) => [name, await db.collection(name).find().toArray()]);
      const tables = Object.entries(BUS_TABLES).map(async ([name, query]) => [
        name,
        await messaging.service.rows(query),
      ]);
      const all = (await Promise.all([...stored, ...tables])) as [string, unknown[]][];
      const has = (content: unknown) => secrets.some((secret) => JSON.stringify(content).includes(secret));
      return all.filter(([, rows]) => has(rows)).map(([name]) => name);
    };

    it('neither token nor address in rows and events, and nothing sealed in rows that have ended', async () => {
      const person = await somebody();
      const pending = 'pending@somewhere.test';
      const { id, sealed } = await mail.tellOf(person, VERIFY, { to: pending, token: TOKEN });
      const dropped = await mail.tellOf(
        person,
        RESET,
        { token: TOKEN },
        { expiresAt: messaging.clock.now() + HOUR_MS },
      );
      // The scan finds what is there.
      expect((await placesOf(addressOf(person))).toSorted()).toEqual(['bus_events', 'contacts']);
      expect((await placesOf(sealed)).toSorted()).toEqual(['bus_events', 'mails']);
      expect(await placesOf(TOKEN, pending)).toEqual([]);
      await mail.worker.get(MailRepository).claim(`account_${dropped.id}`, 2 * HOUR_MS);
      await mail.work();
      expect(to(pending)).toHaveLength(1);
      messaging.clock.advance(2 * HOUR_MS);
      await mail.work();
      expect(await row(`account_${id}`)).toMatchObject({ state: 'sent' });
      expect(await row(`account_${dropped.id}`)).toMatchObject({ state: 'dropped', reason: 'expired' });
      expect(await placesOf(TOKEN, pending)).toEqual([]);
      expect(await placesOf(sealed, dropped.sealed)).toEqual(['bus_events']);
      expect(mail.logged.join('')).not.toContain(pending);
    });
  });
});
