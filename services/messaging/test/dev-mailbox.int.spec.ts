import { DevMailbox } from '../src/mail-worker/dev-mailbox.js';
import { TestMessaging } from './start.js';
import { TestMail } from './support/test-mail.js';

// Rule: MAIL-7
describe('the mailbox of development', () => {
  let messaging: TestMessaging;
  let mail: TestMail;
  let mailbox: DevMailbox;
  beforeAll(async () => {
    messaging = await TestMessaging.start();
    mail = await TestMail.start(messaging, { MAIL_TRANSPORT: 'mailbox', MAIL_FROM: '' });
    mailbox = mail.worker.get(DevMailbox);
  });
  afterAll(async () => {
    await mail.stop();
    await messaging.stop();
  });

  const put = (id: string, to: string, at: number) =>
    mailbox.send({
      ...{ id, to, date: new Date(at), subject: `subject of ${id}` },
      ...{ text: 'text', html: '<p>html</p>', unsubscribeUrl: undefined },
    });

  it('lists mails newest first, those of one address where one is asked for', async () => {
    await put('welcome_1', 'ana@pulso.test', 1_000);
    await put('welcome_2', 'ben@pulso.test', 2_000);
    await put('welcome_3', 'ana@pulso.test', 3_000);
    expect((await mailbox.list()).map(({ _id }) => _id)).toEqual(['welcome_3', 'welcome_2', 'welcome_1']);
    expect(await mailbox.list({ to: 'ben@pulso.test' })).toEqual([
      {
        ...{ _id: 'welcome_2', to: 'ben@pulso.test', subject: 'subject of welcome_2' },
        ...{ text: 'text', html: '<p>html</p>', sentAt: new Date(2_000) },
      },
    ]);
    expect(await mailbox.list({ to: 'nobody@pulso.test' })).toEqual([]);
  });

  it('holds a mail once that is delivered twice', async () => {
    const before = (await mailbox.list()).length;
    await put('welcome_1', 'ana@pulso.test', 1_000);
    expect(await mailbox.list()).toHaveLength(before);
  });

  it('keeps the newest 500', async () => {
    for (let each = 0; each < 620; each += 1) await put(`many_${each}`, 'ana@pulso.test', 10_000 + each);
    const mails = await mailbox.list();
    expect(mails).toHaveLength(500);
    expect(mails[0]!._id).toBe('many_619');
    const [oldest] = await mailbox.list({ to: 'ben@pulso.test' });
    expect(oldest).toBeUndefined();
  });
});
