import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { UserSuspensionState } from '@pulso/contracts/social/v1/events';
import { userSuspensionTopic } from '@pulso/contracts/topics/social';
import { DevMailbox } from '../src/mail-worker/dev-mailbox.js';
import { type Person, TestMessaging } from './start.js';
import { Acts } from './support/acts.js';
import { addressOf, TestMail } from './support/test-mail.js';

const DAY = 24 * 60 * 60_000;

// Rule: MAIL-11
describe('mails about decisions of moderators', () => {
  let messaging: TestMessaging;
  let acts: Acts;
  let mail: TestMail;
  let author: Person;
  beforeAll(async () => {
    messaging = await TestMessaging.start();
    acts = new Acts(messaging);
    mail = await TestMail.start(messaging, { MAIL_TRANSPORT: 'mailbox' });
  });
  beforeEach(async () => {
    author = await messaging.person();
    await mail.tell(author, { createdAt: messaging.clock.now() - 30 * DAY });
  });
  afterAll(async () => {
    await mail.stop();
    await messaging.stop();
  });

  const subjects = async () => {
    await mail.work();
    const mails = await mail.worker.get(DevMailbox).list({ to: addressOf(author) });
    return mails.map(({ subject }) => subject).toReversed();
  };
  const hidden = (decidedAt: number) => ({ hidden: { reason: 'spam', decidedAt } });

  it('go to the author of a hidden post, once a decision', async () => {
    const at = messaging.clock.now();
    const { id } = await acts.post(author, [], hidden(at));
    await acts.post(author, [], { id, ...hidden(at) });
    expect(await subjects()).toEqual(['Your post was hidden']);
    messaging.clock.advance(1_000);
    await acts.post(author, [], { id });
    await acts.post(author, [], { id, ...hidden(messaging.clock.now()) });
    expect(await subjects()).toEqual(['Your post was hidden', 'Your post was hidden']);
  });

  it('go to the author of a hidden comment', async () => {
    await acts.comment(author, await messaging.person(), hidden(messaging.clock.now()));
    expect(await subjects()).toEqual(['Your comment was hidden']);
  });

  it('go to whom is suspended, and reinstated', async () => {
    const decide = async (suspended: boolean) => {
      const decision = { userId: author.id, version: acts.version(), suspended, reason: 'danger' };
      const state = UserSuspensionState.fromPartial({ ...decision, decidedAt: messaging.clock.now() });
      await messaging.tell(userSuspensionTopic, state);
    };
    await decide(true);
    await mail.tell(author, { status: UserStatus.USER_STATUS_SUSPENDED });
    expect(await subjects()).toEqual(['Your account was suspended']);
    messaging.clock.advance(1_000);
    await decide(false);
    expect(await subjects()).toEqual(['Your account was suspended', 'Your account was reinstated']);
  });

  it('are not written for old decisions, and for what its author has deleted', async () => {
    await acts.post(author, [], hidden(messaging.clock.now() - 8 * DAY));
    await acts.post(author, [], { deleted: true, ...hidden(messaging.clock.now()) });
    expect(await subjects()).toEqual([]);
  });
});
