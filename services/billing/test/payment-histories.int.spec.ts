import type { ProviderEvent } from '../src/provider/payment-provider.js';
import { MONTH_MS } from './support/fake-book.js';
import type { FakeProvider, Held } from './support/fake-provider.js';
import { Payments } from './support/payments.js';
import { type Billing, Dice, outcome, type Person } from './start.js';

const SEED = Number(process.env['TEST_SEED'] ?? 48);
const HISTORIES = Number(process.env['TEST_HISTORIES'] ?? 16);
const STEPS = 10;
const DAY_MS = 24 * 60 * 60_000;

let billing: Billing;
let provider: FakeProvider;
let payments: Payments;
beforeAll(async () => ({ billing, provider, payments } = await Payments.start()));
afterAll(() => billing?.stop());

/** A member, their coach, and what they have paid; the subscription that counts is the first of them that lives. */
interface Side {
  ana: Person;
  coach: Person;
  customer: string;
  paid: string[];
  disputes: string[];
}

async function side(): Promise<Side> {
  const [ana, coach] = [await billing.person(), await billing.coach()];
  return { ana, coach, customer: await payments.customer(ana), paid: [], disputes: [] };
}

const livingOf = ({ ana, coach }: Side) => provider.living({ userId: ana.id, coachId: coach.id });
const access = async ({ ana, coach }: Side) => {
  const [row] = await billing.rows<object>(
    `SELECT status, cancel_at_period_end AS "isEnding", access_until - '2026-11-20'::timestamptz AS until,
       gives_access AS access FROM subscriptions WHERE user_id = $1 AND coach_id = $2`,
    [ana.id, coach.id],
  );
  return row;
};
const hasAccess = async ({ ana, coach }: Side) => (await billing.standing(ana, coach))[1];

type Step = (on: Side) => Promise<unknown> | unknown;
const onLiving =
  (act: (id: string) => void): Step =>
  (on) =>
    livingOf(on)
      .slice(0, 1)
      .forEach(({ id }) => act(id));

/** What members do and what time brings, on both sides of a comparison alike. */
const STEPS_OF: Readonly<Record<string, Step>> = {
  pay: (on) => {
    if (livingOf(on).length === 0) on.paid.push(provider.subscribe(on.customer, on.coach.id));
  },
  payTwice: (on) => {
    if (livingOf(on).length === 1) on.paid.push(provider.subscribe(on.customer, on.coach.id));
  },
  endInPortal: onLiving((id) => provider.setEnding(id, true)),
  resumeInPortal: onLiving((id) => provider.setEnding(id, false)),
  unsubscribe: ({ ana, coach }) => outcome(billing.cancel(ana, coach)),
  subscribe: ({ ana, coach }) => outcome(billing.subscribe(ana, coach)),
};
/** Only where billing knows on both sides of what was paid: otherwise a press means something else. */
const PRESSES = new Set(['unsubscribe', 'subscribe']);
/** At the end of a history, since what has ended stays ended. */
const LAST: Readonly<Record<string, Step>> = {
  nothing: () => undefined,
  'block by the coach': ({ ana, coach }) => billing.block(coach, ana),
  'block by the subscriber': ({ ana, coach }) => billing.block(ana, coach),
  'coach stops': ({ coach }) => billing.change(coach, { isCoach: false }),
  dispute: (on) => {
    for (const { id } of livingOf(on).slice(0, 1)) on.disputes.push(provider.dispute(id));
  },
  'dispute that is won': (on) => {
    LAST['dispute']!(on);
    for (const id of on.disputes) provider.decideDispute(id, 'won');
  },
};

/** Delivers as a network and a crash may: late, twice, in another order, and `loss` of the events not at all. */
class Disorder {
  private waiting: ProviderEvent[] = [];
  private readonly reads: { held: Held; done: Promise<unknown> }[] = [];

  constructor(
    private readonly dice: Dice,
    private readonly customer: string,
    private readonly loss: number,
  ) {}

  async hear(events: ProviderEvent[]): Promise<void> {
    const { dice } = this;
    this.waiting.push(...events.filter(() => !dice.chance(this.loss)));
    if (dice.chance(0.3)) await this.beginRead();
    if (dice.chance(0.3))
      provider.failNext('setCancelAtPeriodEnd', dice.pick(['unknown', 'after-effect', 'not-executed']));
    if (dice.chance(0.3)) provider.failNext('cancelNow', dice.pick(['unknown', 'after-effect']));
    if (dice.chance(0.3)) provider.failNext('refund', dice.pick(['unknown', 'after-effect', 'not-executed']));
    if (dice.chance(0.3)) provider.failNext('takeShareBack', dice.pick(['unknown', 'after-effect']));
    if (dice.chance(0.3)) provider.failNext('giveShareBack', dice.pick(['unknown', 'after-effect']));
    if (dice.chance(0.5)) await this.deliver();
    if (dice.chance(0.3)) await payments.settle();
    if (dice.chance(0.3)) await this.endReads();
  }

  async end(): Promise<void> {
    await this.deliver();
    await payments.settle();
    await this.endReads();
    provider.recover();
  }

  /** An older read that will be written after newer ones. */
  private async beginRead(): Promise<void> {
    const held = provider.holdNext('subscriptionsOf');
    const done = payments.sync(this.customer);
    await held.reached;
    this.reads.push({ held, done });
  }

  private async endReads(): Promise<void> {
    for (const { held, done } of this.reads.splice(0)) {
      held.release();
      await done;
    }
  }

  private async deliver(): Promise<void> {
    const events = this.waiting.splice(0);
    const twice = events.filter(() => this.dice.chance(0.4));
    await payments.take(this.dice.shuffled([...events, ...twice]));
  }
}

/** Repairs what lost events have left; what follows from it is repaired, too. */
async function reconciled(): Promise<void> {
  for (let pass = 0; pass < 2; pass += 1) {
    await payments.reconcile();
    await payments.tellAll();
  }
}

/** Nothing is paid back twice, and never more than was paid. */
async function checkRefunds(on: Side): Promise<void> {
  const refunds = await payments.refunds(...on.paid);
  expect(new Set(refunds.map(({ id }) => id)).size).toBe(refunds.length);
  for (const id of on.paid) {
    const { latestPayment } = provider.subscriptions.get(id)!;
    const ordered = refunds.find((refund) => refund.id === id)?.amount ?? 0;
    expect(latestPayment!.refundedMinor).toBe(ordered);
    expect(latestPayment!.refundedMinor).toBeLessThanOrEqual(latestPayment!.paidMinor);
  }
}

// Rule: SUBS-9, SUBS-10, SUBS-12, SUBS-17, SUBS-18, SUBS-34
describe(`histories of a paid subscription (TEST_SEED=${SEED}, TEST_HISTORIES=${HISTORIES})`, () => {
  it('end the same, whether events come in order, or late, twice, shuffled and lost until the comparison', async () => {
    for (let history = 0; history < HISTORIES; history += 1) {
      const dice = new Dice(SEED + history);
      const [ordered, chaotic] = [await side(), await side()];
      // Without a loss nothing is left for the comparison to repair.
      const loss = history % 2 === 0 ? 0 : 0.2;
      const disorder = new Disorder(dice, chaotic.customer, loss);
      const told: string[] = [];
      const last = dice.pick(Object.keys(LAST));
      const ofOrdered = ({ customerId, disputeId }: ProviderEvent) =>
        customerId === ordered.customer || ordered.disputes.includes(disputeId ?? '');
      const both = async (name: string, step: Step) => {
        told.push(name);
        await step(ordered);
        await payments.take(provider.takeEvents().filter(ofOrdered));
        await payments.settle();
        await payments.take(provider.takeEvents().filter(ofOrdered));
        await payments.settle();
        await step(chaotic);
        await disorder.hear(provider.takeEvents());
      };
      try {
        for (let count = 0; count < STEPS; count += 1) {
          const name = count === 0 ? 'pay' : dice.pick(Object.keys(STEPS_OF));
          const isKnown = (await hasAccess(ordered)) && (await hasAccess(chaotic));
          if (PRESSES.has(name) && !isKnown) continue;
          await both(name, STEPS_OF[name]!);
          billing.clock.advance(dice.below(2 * DAY_MS));
        }
        await both(last, LAST[last]!);
        await disorder.end();
        await disorder.hear(provider.takeEvents());
        await disorder.end();
        if (loss > 0) await reconciled();

        // A payment that is first seen after a block never gave access: only that there is none is the same.
        if (last.startsWith('block'))
          expect([await hasAccess(chaotic), await hasAccess(ordered)]).toEqual([false, false]);
        // A second one that is first seen after the dispute takes over, paid as it is.
        else if (last.startsWith('dispute') && told.includes('payTwice'))
          expect(await hasAccess(ordered)).toBe(false);
        else expect(await access(chaotic)).toEqual(await access(ordered));
        for (const on of [ordered, chaotic]) {
          expect(livingOf(on).length).toBeLessThanOrEqual(1);
          expect(livingOf(on).length === 1).toBe(await hasAccess(on));
          expect(billing.published(on.ana, on.coach)?.active ?? false).toBe(await hasAccess(on));
          await checkRefunds(on);
          // The coach's share is taken once, and given back once.
          const taken = on.disputes.map((id) => provider.sharesTaken.get(id) ?? 0);
          expect(taken).toEqual(on.disputes.map(() => (last === 'dispute' ? 40_000 : 0)));
        }
        expect((await payments.reconcile(false)).drifts).toEqual([]);
      } catch (error) {
        throw new Error(`history ${SEED + history}: ${told.join(', ')}`, { cause: error });
      }
    }
  });

  it('over months with cards that fail leave one that lives where there is access, and none where there is not', async () => {
    for (let history = 0; history < HISTORIES / 2; history += 1) {
      const dice = new Dice(SEED + 1_000 + history);
      const on = await side();
      const disorder = new Disorder(dice, on.customer, 0.2);
      const steps: Readonly<Record<string, Step>> = {
        ...STEPS_OF,
        cardFails: () => provider.setCard(on.customer, false),
        cardMended: () => provider.setCard(on.customer, true),
        retry: onLiving((id) => void provider.retryPayment(id)),
        endAtProvider: onLiving((id) => provider.end(id)),
      };
      for (let count = 0; count < STEPS; count += 1) {
        await steps[count === 0 ? 'pay' : dice.pick(Object.keys(steps))]!(on);
        billing.clock.advance(dice.below(MONTH_MS / 2));
        provider.turn();
        await disorder.hear(provider.takeEvents());
      }
      await disorder.end();
      await reconciled();
      expect(livingOf(on).length).toBeLessThanOrEqual(1);
      if (livingOf(on).length === 1)
        expect([SEED + 1_000 + history, await hasAccess(on)]).toEqual([SEED + 1_000 + history, true]);
      expect(billing.published(on.ana, on.coach)?.active ?? false).toBe(await hasAccess(on));
      await checkRefunds(on);
      expect((await payments.reconcile(false)).drifts).toEqual([]);
    }
  });
});
