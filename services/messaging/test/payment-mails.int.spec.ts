import { PaymentNoticeKind, PaymentNoticeState } from '@pulso/contracts/billing/v1/events';
import { paymentNoticeTopic } from '@pulso/contracts/topics/billing';
import { eventOf } from '@pulso/platform/events/event-record';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { DevMailbox } from '../src/mail-worker/dev-mailbox.js';
import { TellOfPayments } from '../src/mail/tell-of-payments.reaction.js';
import { MAX_OPTIONAL_A_DAY } from '../src/store/mail.js';
import { MailCollection } from '../src/store/mail.schema.js';
import { type Person, TestMessaging } from './start.js';
import { addressOf, TestMail } from './support/test-mail.js';

const DAY = 24 * 60 * 60_000;
const {
  PAYMENT_NOTICE_KIND_FAILED: FAILED,
  PAYMENT_NOTICE_KIND_RENEWED: RENEWED,
  PAYMENT_NOTICE_KIND_REFUNDED: REFUNDED,
  PAYMENT_NOTICE_KIND_SECOND_REFUNDED: SECOND_REFUNDED,
  PAYMENT_NOTICE_KIND_DISPUTED: DISPUTED,
} = PaymentNoticeKind;

// Rule: MAIL-12
describe('mails about payments', () => {
  let messaging: TestMessaging;
  let mail: TestMail;
  let payer: Person;
  let coach: Person;
  beforeAll(async () => {
    messaging = await TestMessaging.start();
    mail = await TestMail.start(messaging, { MAIL_TRANSPORT: 'mailbox' });
  });
  beforeEach(async () => {
    messaging.clock.advance(1_000);
    [payer, coach] = [await messaging.person(), await messaging.person({ isCoach: true })];
    await mail.tell(payer, old());
  });
  afterAll(async () => {
    await mail.stop();
    await messaging.stop();
  });

  /** Of an account that is too old for a welcome. */
  const old = () => ({ createdAt: messaging.clock.now() - 30 * DAY });
  const notice = (kind: PaymentNoticeKind, fields: Partial<PaymentNoticeState> = {}): PaymentNoticeState => {
    const at = messaging.clock.now();
    return PaymentNoticeState.fromPartial({
      ...{ id: newIdAt(at), version: at * 1000, userId: payer.id, coachId: coach.id, kind, at },
      ...{ amountMinor: 40_000, currency: 'MXN', ...fields },
    });
  };
  const tell = (state: PaymentNoticeState) => messaging.tell(paymentNoticeTopic, state);
  const mails = async () => {
    await mail.work();
    return mail.worker.get(DevMailbox).list({ to: addressOf(payer) });
  };
  const subjects = async () => (await mails()).map(({ subject }) => subject).toReversed();

  it('go to the payer, one for each notice, however often it is delivered', async () => {
    const failed = notice(FAILED, { until: Date.UTC(2026, 11, 20) });
    await tell(failed);
    const again = messaging.service.get(TellOfPayments);
    await Promise.all([failed, failed].map((state) => again.handle(state)));
    await messaging.service.bus.publish([{ ...eventOf(paymentNoticeTopic, failed), republished: true }]);
    await messaging.service.drainEvents();
    const [only, ...others] = await mails();
    expect(others).toEqual([]);
    expect(only!.subject).toBe(`The payment for your subscription to ${coach.name} failed`);
    const words = only!.text.replaceAll(/\s+/g, ' ');
    expect(words).toContain(`We could not collect MX$400.00 for your subscription to ${coach.name}.`);
    expect(words).toContain('You keep access until December 20, 2026.');
    expect(words).toContain('https://pulso.example/subscriptions');
    messaging.clock.advance(6 * DAY);
    await again.handle(failed);
    expect(await mails()).toHaveLength(1);

    for (const kind of [RENEWED, REFUNDED, SECOND_REFUNDED, DISPUTED]) {
      messaging.clock.advance(1_000);
      await tell(notice(kind, kind === RENEWED ? { until: Date.UTC(2027, 0, 20) } : {}));
      await mail.work();
    }
    expect(await subjects()).toEqual([
      only!.subject,
      `Your subscription to ${coach.name} was renewed`,
      `A refund for your subscription to ${coach.name}`,
      `Your second subscription to ${coach.name} was ended`,
      `A disputed payment for your subscription to ${coach.name}`,
    ]);
  });

  it('are written in the payer’s language', async () => {
    await mail.tell(payer, { ...old(), language: 'es' });
    await tell(notice(RENEWED, { until: Date.UTC(2026, 11, 20) }));
    const [renewed] = await mails();
    expect(renewed!.subject).toBe(`Se renovó tu suscripción a ${coach.name}`);
    expect(renewed!.text.replaceAll(/\s+/g, ' ')).toContain('Está pagada hasta el 20 de diciembre de 2026.');
  });

  it('are not written for old notices', async () => {
    await tell(notice(REFUNDED, { at: messaging.clock.now() - 7 * DAY }));
    expect(await subjects()).toEqual([]);
    await tell(notice(REFUNDED, { at: messaging.clock.now() - 7 * DAY + 1 }));
    expect(await subjects()).toHaveLength(1);
  });

  // Rule: MAIL-6, MAIL-10
  it('cannot be switched off, and are neither counted nor dropped', async () => {
    await mail.tell(payer, { ...old(), wantsSubscriptionMails: false, wantsSecurityMails: false });
    for (let nth = 0; nth <= MAX_OPTIONAL_A_DAY; nth += 1) await tell(notice(REFUNDED));
    const sent = await mails();
    expect(sent).toHaveLength(MAX_OPTIONAL_A_DAY + 1);
    expect(sent[0]!.text).not.toContain('/unsubscribe');
  });

  // Rule: MAIL-9
  it('go to no address that is not verified', async () => {
    await mail.tell(payer, { ...old(), emailVerified: false });
    const state = notice(FAILED, { until: messaging.clock.now() });
    await tell(state);
    expect(await subjects()).toEqual([]);
    const row = await messaging.service.get(MailCollection).findOne({ _id: `payment-notice_${state.id}` });
    expect(row).toMatchObject({ state: 'dropped', reason: 'not verified' });
  });

  it('come although the coach is gone, who is not named then', async () => {
    await messaging.suspend(coach);
    await tell(notice(REFUNDED));
    await mail.work();
    await messaging.remove(coach);
    await tell(notice(REFUNDED));
    const told = 'A refund for your subscription to a coach who is no longer on Pulso';
    expect(await subjects()).toEqual([told, told]);
    for (const { text } of await mails()) expect(text).not.toContain(coach.name);
  });

  it('of a kind that this version does not know are put aside, not lost', async () => {
    const unknown = notice(99 as PaymentNoticeKind);
    await expect(messaging.service.get(TellOfPayments).handle(unknown)).rejects.toThrow(
      'not a kind of payment notice: 99',
    );
  });
});
