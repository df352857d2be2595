import { inspect } from 'node:util';
import { ForeignCalls } from '@pulso/platform/foreign-calls/foreign-calls';
import { Writes } from '@pulso/platform/postgres/writes';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import type { ProviderEvent } from '../../src/provider/payment-provider.js';
import { Inbox } from '../../src/inbox/inbox.js';
import { TakeProviderEvent } from '../../src/provider-events/take-provider-event.js';
import { HandleProviderEvents } from '../../src/provider-events/handle-provider-events.js';
import { Reconcile } from '../../src/reconcile/reconcile.js';
import { EndSubscriptions } from '../../src/subscription/end-subscriptions.job.js';
import { Dice } from '../start.js';
import { isOfProvider } from './asking.js';
import { checkAtRest } from './at-rest.js';
import { BooksAtRest } from './books-at-rest.js';
import { Machine } from './machine.js';
import { MoodyProvider } from './moody-provider.js';
import { Moves } from './moves.js';
import type { Side } from './side.js';
import { Town } from './town.js';
import { keyOf, YearBook } from './year-book.js';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS_A_MONTH = 30;
const DAYS_BETWEEN_RESTS = 10;
/** Rounds of work until nothing waits; each repeats the calls and events that have failed. */
const ROUNDS = 40;
const SHOWN_STEPS = 12;
/** In half of the stretches none is lost; in some the provider reaches nobody. */
const LOSSES = [0, 0, 0, 0.2, 0.2, 1] as const;
const WORKS_A_DAY = 6;

export interface YearPlan {
  seed: number;
  members: number;
  months: number;
  /** Acts of a member in a month, on average. */
  acts: number;
  /** The share of acts, of comparisons and of passes of a worker in which the process is killed. */
  kills: number;
}

/** A year of billing by a seed: what members, coaches, the provider and the network do, in an order that a seed decides. */
export class Year {
  private readonly dice: Dice;
  private readonly moves: Moves;
  private readonly books: BooksAtRest;
  private waiting: ProviderEvent[] = [];
  private step = 0;
  private unaged = 0;
  private readonly told: string[] = [];
  /** The share of events that get lost until the next rest, where the comparison makes good for them. */
  private loss = 0;

  private constructor(
    private readonly plan: YearPlan,
    private readonly town: Town,
  ) {
    this.dice = new Dice(plan.seed);
    this.books = new BooksAtRest(town);
    this.moves = new Moves(town, this.dice, async () => {
      this.hear();
      await this.deliver(1);
    });
  }

  static async start(plan: YearPlan): Promise<Year> {
    const clock = new ManualClock(Date.UTC(2027, 0, 1));
    const provider = new MoodyProvider(new YearBook(clock), plan.seed);
    return new Year(plan, new Town(await Machine.start(provider, clock), provider, clock));
  }

  get kills(): number {
    return this.town.machine.kills;
  }

  get steps(): number {
    return this.step;
  }

  stop(): Promise<void> {
    return this.town.machine.stop();
  }

  /** Throws with seed, step and the last acts where something is wrong. */
  async run(): Promise<void> {
    const { plan, town } = this;
    try {
      await town.build(plan.members, this.dice);
      await this.rest();
      const stretches = (plan.months * DAYS_A_MONTH) / DAYS_BETWEEN_RESTS;
      for (let stretch = 0; stretch < stretches; stretch += 1) {
        this.loss = this.dice.pick(LOSSES);
        for (let day = 0; day < DAYS_BETWEEN_RESTS; day += 1) await this.day();
        await this.rest();
      }
    } catch (error) {
      const { seed, members, months, acts, kills } = plan;
      const settings = `TEST_SEED=${seed} BILLING_YEAR_MEMBERS=${members} BILLING_YEAR_MONTHS=${months} BILLING_YEAR_ACTS=${acts} BILLING_YEAR_KILLS=${kills}`;
      const message = `${settings}, step ${this.step}: ${(error as Error).message}\n${this.told.join('\n')}`;
      throw new Error(message, { cause: error });
    }
  }

  private async day(): Promise<void> {
    const { dice, town, plan } = this;
    town.provider.trouble = dice.chance(0.3) ? 0.3 : 0.03;
    town.provider.isAway = dice.chance(0.04);
    const expected = (plan.members * plan.acts) / DAYS_A_MONTH;
    const acts = Math.floor(expected) + Number(dice.chance(expected % 1));
    for (let count = 0; count < acts; count += 1) {
      this.pass(dice.below(DAY_MS / (acts + 1)));
      this.step += 1;
      this.tell(await this.moves.next(plan.kills));
      // As often a day in a town as among a few: each looks at all that waits.
      if (dice.chance(Math.min(0.3, WORKS_A_DAY / acts))) await this.work();
    }
    this.pass(dice.below(DAY_MS / 2) + DAY_MS / 4);
    if (dice.chance(0.7)) await this.work();
    if (dice.chance(0.2)) await this.reconcile();
  }

  /** Time passes here and at the provider, which renews and ends what is due. */
  private pass(ms: number): void {
    const { clock, book } = this.town;
    clock.advance(ms);
    book.turn();
    this.unaged += ms;
    this.hear();
  }

  /** Makes what waits in the database as old as the clock says: its times are those of the database. */
  private async age(due = "due_at = due_at - $1::float8 * interval '1 millisecond'"): Promise<void> {
    await this.town.machine.rows(
      `UPDATE foreign_calls SET ${due},
         tried_at = tried_at - $1::float8 * interval '1 millisecond',
         doubtful_since = doubtful_since - $1::float8 * interval '1 millisecond'
       WHERE state IN ('pending', 'abandoned')`,
      [this.unaged],
    );
    this.unaged = 0;
  }

  private hear(): void {
    const { dice } = this;
    // Those that were told at the same time come in any order.
    const events = this.town.book
      .takeEvents()
      .sort((one, other) => compare(subjectOf(one), subjectOf(other)) || compare(one.type, other.type));
    this.waiting.push(...events.filter(() => !dice.chance(this.loss)));
  }

  /** Workers run, each perhaps, and some are killed. */
  private async work(): Promise<void> {
    const { dice, town, plan } = this;
    this.hear();
    await this.deliver(dice.chance(0.7) ? 1 : 0.5);
    await this.age();
    const { machine } = town;
    const works = dice.shuffled([
      () => machine.get(HandleProviderEvents).execute(),
      () => machine.get(ForeignCalls).recover(),
      () => machine.get(EndSubscriptions).execute(),
    ]);
    for (const work of works) {
      if (dice.chance(0.3)) continue;
      if (dice.chance(plan.kills)) await machine.killing(dice.below(40), work);
      else await work();
    }
  }

  private async deliver(share: number): Promise<void> {
    const { dice, town } = this;
    const [now, later]: [ProviderEvent[], ProviderEvent[]] = [[], []];
    for (const event of this.waiting) (share === 1 || dice.chance(share) ? now : later).push(event);
    this.waiting = later;
    const twice = now.filter(() => dice.chance(0.2));
    const { machine, book } = town;
    for (const event of twice) await machine.get(TakeProviderEvent).execute(book.signed(event));
    // The others in one transaction instead of one for each: there are some for each renewal of a town.
    const inbox = machine.get(Inbox);
    if (now.length > 0)
      await machine.get(Writes).run(async (transaction) => {
        for (const event of dice.shuffled(now)) await inbox.put(event, transaction);
      });
  }

  private async reconcile(): Promise<void> {
    const { town, dice, plan } = this;
    const work = () => town.machine.get(Reconcile).execute({ apply: true });
    try {
      if (dice.chance(plan.kills)) await town.machine.killing(dice.below(40), work);
      else await work();
    } catch (error) {
      // The provider cannot be read tonight.
      if (!isOfProvider(error)) throw error;
    }
  }

  /** All events are handled and all calls have ended; then everything has to be right. */
  private async rest(): Promise<void> {
    const { town } = this;
    town.provider.calm();
    this.tell('rest');
    this.hear();
    await this.deliver(1);
    await this.settle();
    const compare = async (apply: boolean) => (await town.machine.get(Reconcile).execute({ apply })).drifts;
    if (this.loss === 0) this.claim(await compare(false), 'the comparison finds, though no event was lost');
    for (let pass = 0; pass < 2; pass += 1) {
      await compare(true);
      await this.settle();
    }
    this.claim(await compare(false), 'the comparison finds after it has repaired');
    const rows = await town.allRows();
    const facts = { book: town.book, now: town.clock.now(), isLossy: this.loss > 0 };
    for (const side of town.sides) {
      const story = side.story.join('; ');
      const wrong = checkAtRest(side, rows.get(keyOf(side.pair)), facts);
      if (wrong.length > 0) await this.fail(side, story, wrong);
    }
    for (const [what, wrong] of await this.books.check()) this.claim(wrong, what);
  }

  private async settle(): Promise<void> {
    const { machine } = this.town;
    let hasEndings = true;
    for (let round = 0; round < ROUNDS; round += 1) {
      if (hasEndings) await machine.get(EndSubscriptions).execute();
      this.unaged += 15 * 60_000;
      await this.age("due_at = least(now(), due_at - $1::float8 * interval '1 millisecond')");
      await machine.get(ForeignCalls).recover();
      this.hear();
      await this.deliver(1);
      await machine.rows("UPDATE provider_events SET due_at = '2000-01-01' WHERE handled_at IS NULL");
      await machine.get(HandleProviderEvents).execute();
      this.hear();
      const [open] = await machine.rows<{ calls: number; events: number; endings: number; lapsed: number }>(
        `SELECT (SELECT count(*)::int FROM foreign_calls WHERE state IN ('pending', 'abandoned')) AS calls,
           (SELECT count(*)::int FROM provider_events WHERE handled_at IS NULL) AS events,
           (SELECT count(*)::int FROM endings) AS endings,
           (SELECT count(*)::int FROM subscriptions WHERE gives_access AND access_until <= $1) AS lapsed`,
        [new Date(this.town.clock.now())],
      );
      const { calls, events, endings, lapsed } = open!;
      hasEndings = endings + lapsed > 0;
      if (calls + events + endings + lapsed + this.waiting.length === 0) return;
    }
    throw new Error(`something still waits after ${ROUNDS} rounds`);
  }

  /** Tells all that both books have of a pair. */
  private async fail({ name, pair, sold }: Side, story: string, wrong: readonly string[]): Promise<never> {
    const { machine, book } = this.town;
    const ids = [pair.userId, pair.coachId];
    const here = await machine.rows('SELECT * FROM subscriptions WHERE (user_id, coach_id) = ($1, $2)', ids);
    const endings = await machine.rows(
      'SELECT * FROM provider_endings WHERE (user_id, coach_id) = ($1, $2) ORDER BY ended_at DESC LIMIT 5',
      ids,
    );
    const there = book.of(pair).slice(-4);
    const payments = there.flatMap(({ id }) => book.paymentsOf(id).slice(-2));
    const facts = { rules: [...sold.values()].slice(-4), here, endings, there, payments };
    throw new Error(`${name} (${story}): ${wrong.join('; ')}\n${inspect(facts, { depth: 5 })}`);
  }

  private claim(wrong: readonly unknown[], what: string): void {
    if (wrong.length > 0) throw new Error(`${what}: ${JSON.stringify(wrong.slice(0, 5))}`);
  }

  private tell(what: string): void {
    this.told.push(`${this.step} ${new Date(this.town.clock.now()).toISOString().slice(0, 16)} ${what}`);
    if (this.told.length > SHOWN_STEPS) this.told.shift();
  }
}

const subjectOf = ({ customerId, accountId, disputeId }: ProviderEvent) =>
  customerId ?? accountId ?? disputeId ?? '';
const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));
