import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { Dice } from '@pulso/platform/testing/seeded';
import { type Billing, outcome, type Person } from '../start.js';
import { PRICE_MINOR, SimulatedPayments } from './simulated-payments.js';

const SEED = Number(process.env['TEST_SEED'] ?? 48);
const MANY = 1_000;
/** What the API answers where the provider does not do its part (docs/product/http-api.md). */
const AWAY = 'unavailable unavailable';
const UNKNOWN = 'unavailable outcome-unknown';

interface Chaos {
  name: string;
  /** Of the simulator's controls; none where the provider is away. */
  fault?: object;
  /** What a new checkout may be answered. */
  checkout: string[];
  /** Whether readings fail as well, so that operators' commands do. */
  isBlind: boolean;
}

const status = (code: number, more: object = {}) => ({ kind: 'status', status: code, count: MANY, ...more });
const CHAOS: Chaos[] = [
  { name: 'answers 500', fault: status(500, { saved: false }), checkout: [UNKNOWN], isBlind: true },
  { name: 'answers 429', fault: status(429), checkout: [AWAY], isBlind: true },
  {
    name: 'has saved a 503',
    fault: status(503, { method: 'POST' }),
    checkout: [UNKNOWN],
    isBlind: false,
  },
  {
    name: 'answers 500 after the effect',
    fault: status(500, { after: true, method: 'POST' }),
    checkout: [UNKNOWN],
    isBlind: false,
  },
  {
    name: 'has an idempotency_error',
    fault: status(400, { type: 'idempotency_error', method: 'POST' }),
    checkout: [UNKNOWN],
    isBlind: false,
  },
  {
    name: 'says that the key is in use',
    fault: status(409, { method: 'POST' }),
    checkout: [UNKNOWN],
    isBlind: false,
  },
  {
    name: 'breaks the connection after the effect',
    fault: { kind: 'reset', count: MANY, method: 'POST' },
    // Stripe's package asks once more with the same key, and gets the answer.
    checkout: ['resolved', UNKNOWN],
    isBlind: false,
  },
  {
    name: 'does not answer after the effect',
    fault: { kind: 'hang', count: MANY, method: 'POST' },
    checkout: [UNKNOWN],
    isBlind: false,
  },
  { name: 'is away', checkout: [AWAY], isBlind: true },
];

let payments: SimulatedPayments;
let billing: Billing;
let coach: Person;
beforeAll(async () => {
  payments = await SimulatedPayments.start();
  billing = payments.billing;
  coach = await payments.seller();
});
afterAll(() => payments?.stop());

/** An operator who settles the calls that are open, without a word of their own: the provider's counts. */
async function settleOpenCalls(): Promise<void> {
  const lines = await billing.command('foreign-calls', '--json');
  for (const line of lines) {
    const { kind, caller, key } = JSON.parse(line) as Record<string, string>;
    const words = [kind!, caller!, key!, '--reason', 'asked at the provider', '--apply'];
    // Made just now, or ended meanwhile: both are told so.
    const told = await outcome(billing.command('settle-foreign-call', ...words));
    expect(['resolved', 'conflict conflict', 'unavailable unavailable']).toContain(told);
  }
}

/** Lets the provider fail until `mend`, or the end of the test. */
async function begin({ fault }: Chaos): Promise<{ mend(): Promise<void> }> {
  const { simulator } = payments;
  await (fault ? simulator.control('faults', fault) : simulator.kill());
  let isMended = false;
  const mend = async () => {
    if (!isMended) await (fault ? simulator.sendAll() : simulator.start());
    isMended = true;
  };
  onTestEnd(mend);
  return { mend };
}

// Rule: SUBS-9, SUBS-14, SUBS-17, SUBS-22
it.each(CHAOS)(
  `access stays, nothing is granted or lost while the provider $name (TEST_SEED=${SEED})`,
  async (chaos) => {
    const dice = new Dice(SEED);
    const people = await Promise.all([1, 2, 3, 4].map(() => payments.payer(coach)));
    const [stays, leaves, resumes, refunded] = people as [Person, Person, Person, Person];
    const comes = await billing.person();
    await billing.cancel(resumes, coach);
    await payments.atRest();
    const customer = (await payments.customerOf(stays))!;
    const { mend } = await begin(chaos);
    const refund = ['refund', refunded.id, coach.id, '--amount', '1', '--reason', 'asked for it', '--apply'];
    const acts: Record<string, () => Promise<unknown>> = {
      comes: () => payments.checkout(comes, coach),
      comesTwice: () => payments.checkout(comes, coach),
      leaves: () => billing.cancel(leaves, coach),
      resumes: () => billing.subscribe(resumes, coach),
      sync: () => billing.command('sync', '--customer', customer),
      refund: () => billing.command('refund', ...refund.slice(1)),
      reconcile: () => billing.command('reconcile', '--apply'),
      settle: settleOpenCalls,
    };
    const names = dice.shuffled(Object.keys(acts));
    const told = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await outcome(acts[name]!())] as const)),
    );
    await settleOpenCalls();

    const commands = chaos.isBlind ? AWAY : 'resolved';
    expect({ ...told, comes: '', comesTwice: '' }).toEqual({
      ...{ comes: '', comesTwice: '', leaves: 'resolved', resumes: 'resolved', settle: 'resolved' },
      ...{ sync: commands, refund: commands, reconcile: commands },
    });
    // Of two presses at once one may find the other's call under way, whose outcome nobody knows yet.
    for (const press of ['comes', 'comesTwice']) expect([...chaos.checkout, UNKNOWN]).toContain(told[press]);
    for (const person of people) {
      expect((await billing.get(person, coach)).givesAccess).toBe(true);
      expect(billing.published(person, coach)?.active).toBe(true);
    }
    expect((await billing.standing(comes, coach))[1]).toBe(false);

    await mend();
    await payments.atRest();
    const books = await Promise.all(people.map((person) => payments.bookOf(person)));
    expect(
      books.map(({ subscriptions }) => subscriptions.map((one) => [one.status, one.cancel_at_period_end])),
    ).toEqual([[['active', false]], [['active', true]], [['active', false]], [['active', false]]]);
    const refunds = chaos.isBlind ? 0 : 100;
    expect(books.map(({ charges }) => charges.map((one) => [one.amount, one.amount_refunded]))).toEqual(
      [0, 0, 0, refunds].map((back) => [[PRICE_MINOR, back]]),
    );
    expect((await payments.bookOf(comes)).charges).toEqual([]);
    expect((await billing.standing(comes, coach))[1]).toBe(false);
    expect(await billing.command('reconcile')).toContain('Nothing differs.');
    expect(
      await billing.rows("SELECT kind, state FROM foreign_calls WHERE state IN ('refused', 'abandoned')"),
    ).toEqual([]);

    await payments.pay(comes, coach);
    await payments.atRest();
    const { subscriptions, charges } = await payments.bookOf(comes);
    expect([subscriptions.length, charges.length]).toEqual([1, 1]);
    expect((await billing.standing(comes, coach))[1]).toBe(true);
  },
);
