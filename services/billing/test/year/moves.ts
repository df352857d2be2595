import { GetStandings } from '../../src/subscription/get-standings.js';
import type { Dice } from '../start.js';
import { Acts, Wrong } from './acts.js';
import { PeopleActs } from './people-acts.js';
import type { Row, Side } from './side.js';
import type { Town } from './town.js';

const HOUR_MS = 60 * 60_000;
const GRACE_MS = 7 * 24 * HOUR_MS;

type Act = (side: Side, row: Row | undefined) => Promise<string>;

/** Chooses who does what: mostly what can be done just then, and now and then what cannot. */
export class Moves {
  private readonly acts: Acts;
  private readonly weights: Readonly<
    Record<'owned' | 'notOwned' | 'rare', readonly (readonly [string, number, Act])[]>
  >;

  constructor(
    private readonly town: Town,
    private readonly dice: Dice,
  ) {
    const people = new PeopleActs(town, dice);
    const acts = new Acts(town, dice, people);
    this.acts = acts;
    this.weights = {
      owned: [
        ['unsubscribe', 2, (side, row) => acts.unsubscribe(side, row)],
        ['subscribe', 3, (side) => acts.subscribe(side)],
        ['buy', 1, (side, row) => acts.buy(side, row)],
        ['portal cancel', 1, (side) => acts.inPortal(side, true)],
        ['portal resume', 1, (side) => acts.inPortal(side, false)],
        ['card fails', 4, (side) => acts.cardFails(side)],
        ['card mended', 4, (side) => acts.cardMended(side)],
        ['second', 1, (side) => acts.second(side)],
        ['price', 1, (side) => people.coachPrice(side)],
        ['refund', 1, (side) => acts.refund(side)],
      ],
      notOwned: [
        ['buy', 6, (side, row) => acts.buy(side, row)],
        ['subscribe', 1, (side) => acts.subscribe(side)],
        ['unsubscribe', 1, (side, row) => acts.unsubscribe(side, row)],
        ['mend', 6, (side) => people.mend(side)],
        ['second', 1, (side) => acts.second(side)],
        ['price', 1, (side) => people.coachPrice(side)],
      ],
      rare: [
        ['coach stops', 1, (side) => people.changeCoach(side, { isCoach: false })],
        ['coach suspended', 1, (side) => people.changeCoach(side, { status: 'suspended' })],
        ['block', 1, (side) => people.block(side, 'byUser')],
        ['block by the coach', 1, (side) => people.block(side, 'byCoach')],
        ['revoke', 1, (side, row) => acts.revoke(side, row)],
        ['closed there', 1, (side, row) => acts.closeThere(side, row)],
        ['member suspended', 1, (side) => people.memberSuspended(side)],
        ['member deleted', 1, (side) => people.memberDeleted(side)],
      ],
    };
  }

  /** One act of a pair. Throws where it comes to what the rules forbid. */
  async next(killing: number): Promise<string> {
    const { town } = this;
    this.acts.killing = killing;
    const side = this.someSide();
    const row = await town.row(side);
    const [name, , act] = this.someAct(side);
    side.story.push(name);
    try {
      const came = await act(side, row);
      side.story.push(`= ${came}`);
      await this.checkShown(side);
      return `${side.name} ${name}: ${came}`;
    } catch (error) {
      throw new Error(`${side.name} (${side.story.join('; ')}): ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  /** Often one who has just been renewed, or whose payment is missing: most goes wrong there. */
  private someSide(): Side {
    const { dice, town } = this;
    if (!dice.chance(0.3)) return dice.pick(town.sides);
    const now = town.clock.now();
    const tries = Array.from({ length: 24 }, () => dice.pick(town.sides));
    const isLively = (side: Side) =>
      town.book
        .living(side.pair)
        .some(
          ({ status, currentPeriodStart }) =>
            status === 'past_due' || now - currentPeriodStart < 12 * HOUR_MS,
        );
    return tries.find(isLively) ?? tries[0]!;
  }

  private someAct(side: Side) {
    const { dice, town, weights } = this;
    if (dice.chance(0.05)) return dice.pick(weights.rare);
    const isOwned = town.book.living(side.pair).length > 0 || side.free !== false;
    const among = isOwned ? weights.owned : weights.notOwned;
    return dice.pick(among.flatMap((each) => Array<(typeof among)[number]>(each[1]).fill(each)));
  }

  /** The page shows what is stored, nothing that was never paid for, and nothing that is missing for too long (SUBS-9). */
  private async checkShown(side: Side): Promise<void> {
    const { town } = this;
    const { standings } = await town.as(side.user, () =>
      town.machine.get(GetStandings).execute({ userIds: [side.coach.id] }),
    );
    const shown = standings[0]!.subscribed;
    const row = await town.row(side);
    if (shown !== (row?.access ?? false))
      throw new Wrong(`the page shows access ${shown}, stored is ${row?.access}`);
    const own = town.book.of(side.pair).find(({ id }) => id === row?.psid);
    const missingFor = town.clock.now() - (own?.unpaidSince ?? Infinity);
    if (!shown) {
      const isSure =
        own && side.sold.get(own.id)!.fate === 'lives' && !side.pressed.there && !own.cancelAtPeriodEnd;
      const isInGrace = own?.status === 'past_due' && missingFor < GRACE_MS;
      if (isSure && isInGrace && !side.isForbidden) throw new Wrong('no access within the grace');
      return;
    }
    if (row!.psid === null && side.free === false && !side.wasFree)
      throw new Wrong('access that is neither paid nor free');
    if (row!.status === 'past_due' && missingFor > GRACE_MS) throw new Wrong('access after the grace');
    if (row!.ending && town.clock.now() >= row!.periodEnd!) throw new Wrong('access after the paid period');
  }
}
