import { EndSubscriptions } from '../../src/subscription/end-subscriptions.job.js';
import type { Dice } from '../start.js';
import { rules } from './rules.js';
import type { Row, Side, User } from './side.js';
import { PRICES, type Town } from './town.js';
import { keyOf } from './year-book.js';

/** What other services tell billing of members and coaches: prices, flags, suspensions, deletions and blocks. */
export class PeopleActs {
  constructor(
    private readonly town: Town,
    private readonly dice: Dice,
  ) {}

  async coachPrice(side: Side): Promise<string> {
    const { dice, town } = this;
    const { coach } = side;
    if (coach.status === 'deleted') return 'gone';
    coach.priceMinor = dice.chance(0.25) ? dice.pick([0, 0, null]) : dice.pick(PRICES);
    if (dice.chance(0.1)) coach.currency = coach.currency === 'MXN' ? 'USD' : 'MXN';
    await town.tellPrice(coach);
    return `${coach.priceMinor} ${coach.currency}`;
  }

  async memberSuspended({ user }: Side): Promise<string> {
    if (user.status !== 'active' || this.town.sides.some(({ coach }) => coach === user)) return 'no';
    user.status = 'suspended';
    await this.town.tellUser(user);
    return '';
  }

  async memberReinstated({ user }: Side): Promise<string> {
    if (user.status !== 'suspended' || this.town.sides.some(({ coach }) => coach === user)) return 'no';
    user.status = 'active';
    await this.town.tellUser(user);
    return '';
  }

  /** Somebody leaves for good; a new coach takes a coach's place. */
  async deleted(user: User, chance: number): Promise<string> {
    const { town, dice } = this;
    if (user.status === 'deleted' || !dice.chance(chance)) return 'no';
    const now = town.clock.now();
    const sides = town.sidesOf(user);
    const rows = await this.rowsOf(sides);
    user.status = 'deleted';
    await town.tellUser(user);
    for (const each of sides) {
      rules.endsAtOnce(each, rows.get(each), each.coach === user ? 'unused' : 'none', now);
      each.story.push(`${user.name} deleted`);
    }
    if (sides.some(({ coach }) => coach === user)) await town.replace(user, dice);
    town.seeWhoIsGone();
    return user.name;
  }

  async unblock({ user, coach, blocks }: Side): Promise<string> {
    if (blocks.byUser) await this.town.tellBlock(user, coach, false);
    if (blocks.byCoach) await this.town.tellBlock(coach, user, false);
    for (const side of this.between(user, coach)) {
      Object.assign(side.blocks, { byUser: false, byCoach: false });
      rules.mended(side, this.town.clock.now());
    }
    return '';
  }

  async block(side: Side, by: 'byUser' | 'byCoach'): Promise<string> {
    const { town } = this;
    if (side.blocks[by]) return 'already';
    const now = town.clock.now();
    const [blocker, blocked] = by === 'byUser' ? [side.user, side.coach] : [side.coach, side.user];
    const sides = this.between(blocker, blocked);
    const rows = await this.rowsOf(sides);
    await town.tellBlock(blocker, blocked, true);
    for (const each of sides) {
      const isOwn = each.user === blocker;
      each.blocks[isOwn ? 'byUser' : 'byCoach'] = true;
      rules.endsAtOnce(each, rows.get(each), isOwn ? 'none' : 'unused', now, now);
      each.story.push(`block by ${blocker.name}`);
    }
    return '';
  }

  /** The worker that ends subscriptions runs at once with the chance `atOnce`. */
  async changeCoach(
    side: Side,
    fields: Partial<Pick<User, 'isCoach' | 'status'>>,
    atOnce = 0.5,
  ): Promise<string> {
    const { town, dice } = this;
    const { coach } = side;
    if (
      coach.status === 'deleted' ||
      Object.entries(fields).every(([name, value]) => coach[name as 'status'] === value)
    )
      return 'already';
    const now = town.clock.now();
    const sides = town.sides.filter((each) => each.coach === coach);
    const rows = await this.rowsOf(sides);
    Object.assign(coach, fields);
    await town.tellUser(coach);
    for (const each of sides) {
      if (fields.status === 'suspended') rules.endsAtOnce(each, rows.get(each), 'unused', now);
      if (fields.status === 'active') rules.mended(each, now);
      if (fields.isCoach) rules.coachBegins(each);
      if (fields.isCoach === false) rules.coachStops(each, rows.get(each), now);
      each.story.push(`coach ${JSON.stringify(fields)}`);
    }
    if (dice.chance(atOnce)) await town.machine.get(EndSubscriptions).execute();
    return '';
  }

  /** Two coaches may subscribe to each other. */
  private between(one: User, other: User): Side[] {
    return this.town.sides.filter(
      ({ user, coach }) => (user === one && coach === other) || (user === other && coach === one),
    );
  }

  private async rowsOf(sides: readonly Side[]): Promise<ReadonlyMap<Side, Row | undefined>> {
    const rows = await this.town.rowsOf(sides);
    return new Map(sides.map((side) => [side, rows.get(keyOf(side.pair))]));
  }

  /** Takes back what keeps the pair from paying, as far as it can be; undefined where nothing does. */
  async mend(side: Side): Promise<string | undefined> {
    const { user, coach, blocks } = side;
    if (blocks.byUser || blocks.byCoach) return `unblock ${await this.unblock(side)}`;
    if (coach.status === 'suspended')
      return `reinstated ${await this.changeCoach(side, { status: 'active' })}`;
    if (!coach.isCoach) return `begins ${await this.changeCoach(side, { isCoach: true })}`;
    if (user.status === 'suspended') return `member ${await this.memberReinstated(side)}`;
    return coach.priceMinor === null || coach.priceMinor === 0
      ? `price ${await this.coachPrice(side)}`
      : undefined;
  }
}
