import { ForeignCalls } from '@pulso/platform/foreign-calls/foreign-calls';
import { HandleProviderEvents } from '../../src/provider-events/handle-provider-events.js';
import { EndSubscriptions } from '../../src/subscription/end-subscriptions.job.js';
import { SyncCustomer } from '../../src/sync/sync-customer.js';
import type { Dice } from '../start.js';
import type { Acts } from './acts.js';
import { type Asking, isOfProvider } from './asking.js';
import type { MoneyActs } from './money-acts.js';
import type { PeopleActs } from './people-acts.js';
import type { Row, Side } from './side.js';
import type { Town } from './town.js';

const HOUR_MS = 60 * 60_000;
/** How near a renewal is that something happens across it; of few people there is seldom one near, and time may pass. */
const NEAR_MS = { few: 30 * 24 * HOUR_MS, many: 12 * HOUR_MS } as const;
const FEW = 50;

/** Acts that meet: chance alone brings them together too seldom. */
export class Plots {
  constructor(
    private readonly town: Town,
    private readonly dice: Dice,
    private readonly acts: Acts,
    private readonly money: MoneyActs,
    private readonly people: PeopleActs,
    private readonly asking: Asking,
    /** Hands over all that the provider has to tell. */
    private readonly deliver: () => Promise<void>,
  ) {}

  /** Something ends it just before a renewal that the provider makes before it is told, or just after one that was not seen here. */
  async atTheTurn(side: Side, row: Row | undefined): Promise<string> {
    const { town, dice, acts } = this;
    const { book, clock } = town;
    const own = book.living(side.pair).find(({ id }) => id === row?.psid);
    const near = NEAR_MS[town.sides.length < FEW ? 'few' : 'many'];
    const goesOn = own?.status === 'active' && !own.cancelAtPeriodEnd;
    if (!goesOn || own.currentPeriodEnd - clock.now() > near) return 'nothing';
    book.setCard(own.customerId, true);
    const turn = () => {
      clock.advance(Math.max(0, own.currentPeriodEnd - clock.now()) + HOUR_MS);
      book.turn();
    };
    const before = dice.pick(['block', 'revoke', 'nothing'] as const);
    if (before !== 'nothing') {
      const came = await (before === 'block'
        ? this.people.block(side, 'byUser')
        : this.money.revoke(side, row));
      turn();
      return `${before} ${came}, renewed`;
    }
    turn();
    return this.away(
      async () => `renewed, unsubscribe ${await acts.unsubscribe(side, await town.row(side))}`,
    );
  }

  /** What ends all of a coach's subscriptions comes and goes before it is worked off; who subscribes after it keeps that. */
  async comesAndGoes(side: Side): Promise<string> {
    const { people, town, acts } = this;
    if (side.isForbidden || !side.coach.isCoach) return 'nothing';
    const [gone, back] = this.dice.chance(0.5)
      ? [{ status: 'suspended' } as const, { status: 'active' } as const]
      : [{ isCoach: false }, { isCoach: true }];
    await people.changeCoach(side, gone, 0);
    await people.changeCoach(side, back, 0);
    const came = await acts.buy(side, await town.row(side));
    await town.machine.get(EndSubscriptions).execute();
    return `${came}, ended`;
  }

  /** A press whose call waits, as the provider is away; what has happened there is told before the call is made. */
  async whileAway(side: Side, row: Row | undefined): Promise<string> {
    const { town, dice, money } = this;
    const pressed = await this.away(() => this.press(side, row));
    const there = dice.chance(0.5)
      ? await money.closeThere(side, await town.row(side))
      : await money.inPortal(side, dice.chance(0.5));
    await this.deliver();
    await town.machine.get(HandleProviderEvents).execute();
    return `${pressed}, there ${there}`;
  }

  /** A read of the provider is on its way while the member presses, and while the call that follows is made. */
  async overtaken(side: Side, row: Row | undefined): Promise<string> {
    const { town, asking } = this;
    const own = town.book.living(side.pair).find(({ id }) => id === row?.psid);
    if (!own) return 'nothing';
    let came = 'was not read';
    town.provider.meanwhile = () =>
      asking.unharmed(async () => {
        came = await this.press(side, row);
        await town.machine.get(ForeignCalls).recover();
      });
    try {
      await town.machine.get(SyncCustomer).execute(own.customerId);
    } catch (error) {
      if (!isOfProvider(error)) throw error;
    }
    town.provider.meanwhile = undefined;
    return came;
  }

  /** A press in the portal of another tab, between what Pulso reads for a press and what it writes. */
  async twoTabs(side: Side, row: Row | undefined): Promise<string> {
    const { town, money, dice } = this;
    let there = 'was not read';
    town.provider.meanwhile = async () => void (there = await money.inPortal(side, dice.chance(0.5)));
    const came = await this.press(side, row);
    town.provider.meanwhile = undefined;
    return `${came}, there ${there}`;
  }

  /** Two operators, or one who is in doubt; then perhaps it ends. */
  async refundedTwice(side: Side, row: Row | undefined): Promise<string> {
    const { money, people, dice } = this;
    const came = [await money.refund(side, row)];
    if (dice.chance(0.5)) await this.town.machine.get(ForeignCalls).recover();
    came.push(await money.refund(side, row));
    const end = dice.below(5);
    if (end === 0) came.push(`block ${await people.block(side, 'byCoach')}`);
    if (end === 1) came.push(`closed ${await money.closeThere(side, row)}`);
    return came.join(', ');
  }

  private press(side: Side, row: Row | undefined): Promise<string> {
    return row?.ending ? this.acts.subscribe(side) : this.acts.unsubscribe(side, row);
  }

  private async away<T>(work: () => Promise<T>): Promise<T> {
    const { provider } = this.town;
    const { isAway } = provider;
    provider.isAway = true;
    try {
      return await work();
    } finally {
      provider.isAway = isAway;
    }
  }
}
