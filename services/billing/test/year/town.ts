import type { Topic } from '@pulso/contracts/topics/topic';
import { PriceIntentState, UserState, UserStatus } from '@pulso/contracts/identity/v1/events';
import { BlockState } from '@pulso/contracts/social/v1/events';
import { eventOf } from '@pulso/platform/events/event-record';
import type { Projection } from '@pulso/platform/events/projection';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { inContext } from '@pulso/platform/testing/context';
import type { ManualClock } from '@pulso/platform/testing/manual-clock';
import { OpenPayoutAccount } from '../../src/payouts/open-payout-account.js';
import { KnownBlocks } from '../../src/projections/known-blocks.js';
import { KnownPriceIntents } from '../../src/projections/known-price-intents.js';
import { KnownUsers } from '../../src/projections/known-users.js';
import type { Dice } from '../start.js';
import type { Machine } from './machine.js';
import type { MoodyProvider } from './moody-provider.js';
import { type Row, Side, type User } from './side.js';
import { keyOf, type YearBook } from './year-book.js';

export const PRICES = [20_000, 40_000, 60_000] as const;
const STATUS = {
  active: UserStatus.USER_STATUS_ACTIVE,
  suspended: UserStatus.USER_STATUS_SUSPENDED,
  deleted: UserStatus.USER_STATUS_DELETED,
} as const;

const ROW = `SELECT user_id || '_' || coach_id AS key, provider_subscription_id AS psid, status,
  gives_access AND (access_until IS NULL OR access_until > $1) AS access, cancel_at_period_end AS ending,
  floor(extract(epoch FROM current_period_end) * 1000)::float8 AS "periodEnd", price_minor AS "priceMinor",
  price_currency AS currency, floor(extract(epoch FROM access_until) * 1000)::float8 AS until FROM subscriptions`;

/** The members and coaches of a year, and how billing is told of them. */
export class Town {
  readonly users: User[] = [];
  readonly sides: Side[] = [];
  /** Those of whom nobody is deleted. */
  present: readonly Side[] = [];
  private version = 0;

  constructor(
    readonly machine: Machine,
    readonly provider: MoodyProvider,
    readonly clock: ManualClock,
  ) {}

  get book(): YearBook {
    return this.provider.book;
  }

  /** A coach for every eight members; each member looks at one or two of them, and so do coaches. */
  async build(members: number, dice: Dice): Promise<void> {
    const coaches = Math.max(2, Math.ceil(members / 8));
    for (let count = 0; count < members; count += 1) await this.join(count < coaches, dice);
    const sellers = this.users.slice(0, coaches);
    for (const user of this.users) {
      const others = dice.shuffled(sellers.filter((coach) => coach !== user));
      for (const coach of others.slice(0, dice.chance(0.3) ? 2 : 1)) this.sides.push(new Side(user, coach));
    }
    this.present = this.sides;
  }

  /** A user who has just signed up; a coach has a price and can be paid. */
  private async join(isCoach: boolean, dice: Dice): Promise<User> {
    const user: User = {
      ...{ id: newIdAt(this.clock.now()), name: `${isCoach ? 'c' : 'm'}${this.users.length}`, isCoach },
      ...{ status: 'active', priceMinor: null, currency: 'MXN' },
    };
    this.users.push(user);
    await this.tellUser(user);
    if (!isCoach) return user;
    user.priceMinor = dice.pick(PRICES);
    await this.tellPrice(user);
    const { accountId } = await this.as(user, () => this.machine.get(OpenPayoutAccount).execute({}));
    this.book.onboard(accountId);
    return user;
  }

  /** A new coach takes over the members of one who is gone. */
  async replace(gone: User, dice: Dice): Promise<void> {
    const { provider } = this;
    const { trouble, isAway } = provider;
    provider.calm();
    const coach = await this.join(true, dice);
    Object.assign(provider, { trouble, isAway });
    const members = this.sides.filter((side) => side.coach === gone).map(({ user }) => user);
    for (const user of members) if (user.status !== 'deleted') this.sides.push(new Side(user, coach));
  }

  /** Told when somebody is deleted, after all that comes with it. */
  seeWhoIsGone(): void {
    this.present = this.sides.filter(({ user, coach }) => ![user.status, coach.status].includes('deleted'));
  }

  as<T>({ id: userId }: User, work: () => Promise<T>): Promise<T> {
    return inContext({ userId, sessionId: 'year', expiresAt: Infinity }, work);
  }

  sidesOf(user: User): Side[] {
    return this.sides.filter((side) => side.user === user || side.coach === user);
  }

  tellUser({ id, name, isCoach, status }: User): Promise<void> {
    const state = { id, name, username: name, isCoach, status: STATUS[status], version: this.next() };
    return this.tell(KnownUsers, UserState.fromPartial(state));
  }

  tellPrice({ id: userId, priceMinor, currency }: User): Promise<void> {
    const state = { userId, priceMinor: priceMinor ?? undefined, currency, version: this.next() };
    return this.tell(KnownPriceIntents, PriceIntentState.fromPartial(state));
  }

  tellBlock(blocker: User, blocked: User, active: boolean): Promise<void> {
    const state = { blockerId: blocker.id, blockedId: blocked.id, active, version: this.next() };
    return this.tell(KnownBlocks, BlockState.fromPartial(state));
  }

  /** What billing has of a pair now. */
  async row(side: Side): Promise<Row | undefined> {
    return (await this.rowsOf([side])).get(keyOf(side.pair));
  }

  /** The same of many pairs, by `keyOf`. */
  async rowsOf(sides: readonly Side[]): Promise<ReadonlyMap<string, Row>> {
    const ids = [sides.map(({ user }) => user.id), sides.map(({ coach }) => coach.id)];
    const ofThese = `${ROW} WHERE (user_id, coach_id) IN (SELECT * FROM unnest($2::uuid[], $3::uuid[]))`;
    return this.rows(ofThese, ids);
  }

  /** The same of all pairs. */
  allRows(): Promise<ReadonlyMap<string, Row>> {
    return this.rows(ROW, []);
  }

  private async rows(query: string, values: readonly unknown[]): Promise<ReadonlyMap<string, Row>> {
    const given = [new Date(this.clock.now()), ...values];
    const rows = await this.machine.rows<Row & { key: string }>(query, given);
    return new Map(rows.map((row) => [row.key, row]));
  }

  private next(): number {
    this.version += 1;
    return this.version;
  }

  private async tell<T>(
    part: (abstract new (...given: never[]) => Projection<T>) & { prototype: Projection<T> },
    state: T,
  ): Promise<void> {
    const projection = this.machine.get(part as unknown as abstract new () => Projection<T>);
    await projection.apply(state, eventOf(projection.topic as Topic<T>, state));
  }
}
