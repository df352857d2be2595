import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AccountNoticeState, AccountNoticeKind } from '@pulso/contracts/identity/v1/events';
import { accountNoticeTopic } from '@pulso/contracts/topics/identity';
import { eventOf } from '@pulso/platform/events/event-record';
import { TYPESCRIPT } from '@pulso/platform/testing/typescript';
import { AccountMails } from '../../src/mail/account-mails.reaction.js';
import { DAY_MS } from '../../src/store/mail.js';
import { type Person, TestMessaging } from '../start.js';
import { addressOf, MAIL_ENV, type Step, TestMail, TestMailServer } from '../support/test-mail.js';

const WELCOME = AccountNoticeKind.ACCOUNT_NOTICE_KIND_WELCOME;
const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), 'killed-worker.ts');
/** How long a worker keeps a mail for itself. */
const LEASE_MS = 5 * 60_000;
const KILLS = 3;
const LIMIT_MS = 300_000;

// Rule: MAIL-1, MAIL-5, MAIL-13
describe('the welcome of an account whose events come again while processes of the worker are killed', () => {
  let messaging: TestMessaging;
  let server: TestMailServer;
  let mail: TestMail;
  beforeAll(async () => {
    messaging = await TestMessaging.start();
    server = await TestMailServer.start();
    mail = await TestMail.start(messaging, { SMTP_URL: server.url });
  });
  afterAll(async () => {
    await mail?.stop();
    await server?.stop();
    await messaging?.stop();
  });

  /** A worker in a process of its own, which is killed when the mail server has come to this step. */
  async function killedAt(step: Step): Promise<void> {
    const env = { ...messaging.service.env, ...MAIL_ENV, SMTP_URL: server.url };
    const child = spawn(process.execPath, [...TYPESCRIPT, PROGRAM], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env, NOW: String(messaging.clock.now()) },
    });
    const gone = once(child, 'exit');
    server.atStep = async (at) => {
      if (at !== step) return;
      child.kill('SIGKILL');
      await gone;
    };
    try {
      expect(await gone).toEqual([null, 'SIGKILL']);
    } finally {
      server.atStep = undefined;
    }
    messaging.clock.advance(LEASE_MS);
  }

  /** Delivered twice at once, published again, and read again from the beginning by a group that has lost its place. */
  async function again(person: Person, state: AccountNoticeState): Promise<void> {
    const reaction = messaging.service.get(AccountMails);
    await Promise.all([reaction.handle(state), reaction.handle(state)]);
    await messaging.service.bus.publish([{ ...eventOf(accountNoticeTopic, state), republished: true }]);
    await messaging.service.rows(
      `INSERT INTO bus_deliveries (seq, grp, due_at)
       SELECT seq, grp, now() FROM bus_events JOIN bus_subscriptions USING (topic) WHERE reaction`,
    );
    await messaging.service.drainEvents();
    await mail.tell(person, { welcomedByNotice: true });
  }

  it.each<[what: string, step: Step, copies: number]>([
    ['comes once where they are killed before they have sent it', 'rcpt', 1],
    // Nobody else can know that the mail server has taken it.
    [
      'comes once more for each that is killed between sending and marking, with one Message-ID',
      'data',
      1 + KILLS,
    ],
  ])(
    '%s',
    async (_what, step, copies) => {
      const person = await messaging.person();
      await mail.tell(person, { welcomedByNotice: true });
      const expiresAt = messaging.clock.now() + 3 * DAY_MS;
      const state = await mail.tellOf(person, WELCOME, {}, { expiresAt });
      for (let kill = 0; kill < KILLS; kill += 1) {
        await killedAt(step);
        await again(person, state);
      }
      const work = async () => {
        await mail.work();
        await again(person, state);
        messaging.clock.advance(DAY_MS);
      };
      for (let day = 0; day < 3; day += 1) await work();
      const ids = server.mails
        .filter(({ to }) => to.includes(addressOf(person)))
        .map(({ header }) => header('Message-ID'));
      expect(ids).toHaveLength(copies);
      expect(new Set(ids).size).toBe(1);
    },
    LIMIT_MS,
  );
});
