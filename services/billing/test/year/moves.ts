import { DomainError } from '@pulso/platform/errors/domain-error';
import { GetStandings } from '../../src/subscription/get-standings.js';
import { GetSubscription } from '../../src/subscription/get-subscription.js';
import type { Dice } from '../start.js';
import { Acts } from './acts.js';
import { Asking, Wrong } from './asking.js';
import { MoneyActs } from './money-acts.js';
import { PeopleActs } from './people-acts.js';
import { Plots } from './plots.js';
import type { Row, Side } from './side.js';
import type { Town } from './town.js';

const HOUR_MS = 60 * 60_000;
const GRACE_MS = 7 * 24 * HOUR_MS;

type Act = (side: Side, row: Row | undefined) => Promise<string>;
type Kind = 'owned' | 'notOwned' | 'rare' | 'plots';

/** Chooses who does what: mostly what can be done just then, and now and then what cannot. */
export class Moves {
  private readonly asking: Asking;
  private readonly weights: Readonly<Record<Kind, readonly (readonly [string, number, Act])[]>>;

  constructor(
    private readonly town: Town,
    private readonly dice: Dice,
    deliver: () => Promise<void>,
  ) {
    const people = new PeopleActs(town, dice);
    const asking = new Asking(town, dice);
    const acts = new Acts(town, dice, people, asking);
    const money = new MoneyActs(town, dice, asking);
    const plots = new Plots(town, dice, acts, money, people, asking, deliver);
    this.asking = asking;
    this.weights = {
      owned: [
        ['unsubscribe', 2, (side, row) => acts.unsubscribe(side, row)],
        ['subscribe', 3, (side) => acts.subscribe(side)],
        ['buy', 1, (side, row) => acts.buy(side, row)],
        ['portal cancel', 1, (side) => money.inPortal(side, true)],
        ['portal resume', 1, (side) => money.inPortal(side, false)],
        ['card fails', 4, (side) => money.cardFails(side)],
        ['card mended', 4, (side) => money.cardMended(side)],
        ['second', 1, (side) => money.second(side)],
        ['price', 1, (side) => people.coachPrice(side)],
        ['refund', 1, (side, row) => money.refund(side, row)],
        ['holiday', 1, (side) => money.pause(side, true)],
        ['holiday over', 1, (side) => money.pause(side, false)],
      ],
      notOwned: [
        ['buy', 6, (side, row) => acts.buy(side, row)],
        ['subscribe', 1, (side) => acts.subscribe(side)],
        ['unsubscribe', 1, (side, row) => acts.unsubscribe(side, row)],
        ['mend', 6, async (side, row) => (await people.mend(side)) ?? acts.buy(side, row)],
        ['second', 1, (side) => money.second(side)],
        ['price', 1, (side) => people.coachPrice(side)],
        ['bank decides', 1, (side) => money.decide(side)],
      ],
      rare: [
        ['coach stops', 1, (side) => people.changeCoach(side, { isCoach: false })],
        ['coach suspended', 1, (side) => people.changeCoach(side, { status: 'suspended' })],
        ['coach deleted', 1, (side) => people.deleted(side.coach, 0.2)],
        ['block', 1, (side) => people.block(side, 'byUser')],
        ['block by the coach', 1, (side) => people.block(side, 'byCoach')],
        ['revoke', 1, (side, row) => money.revoke(side, row)],
        ['closed there', 2, (side, row) => money.closeThere(side, row)],
        ['dispute', 2, (side) => money.dispute(side)],
        ['member suspended', 1, (side) => people.memberSuspended(side)],
        ['member deleted', 1, (side) => people.deleted(side.user, 0.1)],
      ],
      plots: [
        ['at the turn', 3, (side, row) => plots.atTheTurn(side, row)],
        ['comes and goes', 1, (side) => plots.comesAndGoes(side)],
        ['while away', 2, (side, row) => plots.whileAway(side, row)],
        ['overtaken', 2, (side, row) => plots.overtaken(side, row)],
        ['two tabs', 1, (side, row) => plots.twoTabs(side, row)],
        ['refunded twice', 2, (side, row) => plots.refundedTwice(side, row)],
      ],
    };
  }

  /** One act of a pair. Throws where it comes to what the rules forbid. */
  async next(killing: number): Promise<string> {
    const { town } = this;
    this.asking.killing = killing;
    const side = this.someSide();
    const [name, , act] = this.someAct(side);
    // Most acts do not depend on what billing showed before them.
    const row = act.length > 1 ? await town.row(side) : undefined;
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

  /** Often one who has just been renewed or soon will be, who has just lost it, or whose payment is missing: most goes wrong there. */
  private someSide(): Side {
    const { dice, town } = this;
    if (!dice.chance(0.4)) return dice.pick(town.present);
    const now = town.clock.now();
    const tries = Array.from({ length: 24 }, () => dice.pick(town.present));
    const isNear = (time: number) => Math.abs(time - now) < 12 * HOUR_MS;
    const isLively = (side: Side) => {
      const last = town.book.of(side.pair).at(-1);
      if (!last) return false;
      const { status, endedAt, currentPeriodStart, currentPeriodEnd } = last;
      return status === 'past_due' || isNear(endedAt ?? currentPeriodStart) || isNear(currentPeriodEnd);
    };
    return tries.find(isLively) ?? tries[0]!;
  }

  private someAct(side: Side) {
    const { dice, town, weights } = this;
    const isOwned = town.book.living(side.pair).length > 0 || side.free !== false;
    let among: keyof typeof weights = isOwned ? 'owned' : 'notOwned';
    if (dice.chance(0.07)) among = 'rare';
    else if (isOwned && dice.chance(0.15)) among = 'plots';
    else if (!isOwned && dice.chance(0.05)) return weights.plots[1]!;
    return dice.pick(weights[among].flatMap((each) => Array<typeof each>(each[1]).fill(each)));
  }

  /**
   * The pages show what is stored, nothing that was never paid for, nothing that is missing for too long (SUBS-9), and what is
   * paid (SUBS-23).
   */
  private async checkShown(side: Side): Promise<void> {
    const { town } = this;
    const [shown, row] = [await this.shown(side), await town.row(side)];
    if (shown.access !== (row?.access ?? false))
      throw new Wrong(`the page shows access ${shown.access}, stored is ${row?.access}`);
    const own = row?.psid ? town.book.present(row.psid) : undefined;
    const now = town.clock.now();
    const missingFor = now - (own?.unpaidSince ?? Infinity);
    if (!shown.access) {
      const isToEnd = side.pressed.there || own?.cancelAtPeriodEnd || side.wish?.ending;
      const isSure = own && side.sold.get(own.id)!.fate === 'lives' && !isToEnd;
      const isInGrace = own?.status === 'past_due' && missingFor < GRACE_MS;
      if (isSure && isInGrace && !side.isForbidden) throw new Wrong('no access within the grace');
      return;
    }
    if (row!.psid === null && side.free === false && !side.wasFree)
      throw new Wrong('access that is neither paid nor free');
    if (row!.status === 'past_due' && missingFor > GRACE_MS) throw new Wrong('access after the grace');
    if (row!.ending && (row!.until === null || row!.until > row!.periodEnd! || now >= row!.periodEnd!))
      throw new Wrong('access after the paid period');
    if (shown.paidMinor !== own?.amountMinor || shown.currency !== own?.currency)
      throw new Wrong(`the page shows that ${shown.paidMinor} is paid, and it is ${own?.amountMinor}`);
    const { wish, pressed } = side;
    // What a press was answered holds, whatever is read and in which order, until somebody presses elsewhere.
    const isKept = !pressed.there && row!.status === 'active' && own?.status === 'active';
    if (wish && wish.id === row!.psid && isKept && row!.ending !== wish.ending)
      throw new Wrong(`a press is forgotten: it was to end ${wish.ending}`);
  }

  /** What the coach's page shows, or the answer to who asks for the one subscription, which are read in two ways. */
  private async shown({ user, coach }: Side) {
    const { machine } = this.town;
    return this.town.as(user, async () => {
      if (this.dice.chance(0.5)) {
        const { standings } = await machine.get(GetStandings).execute({ userIds: [coach.id] });
        const { subscribed, own } = standings[0]!;
        return { access: subscribed, paidMinor: own?.paid?.amountMinor, currency: own?.paid?.currency };
      }
      try {
        const { givesAccess, paid } = await machine.get(GetSubscription).execute({ coachId: coach.id });
        return { access: givesAccess, paidMinor: paid?.amountMinor, currency: paid?.currency };
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'not-found') throw error;
        return { access: false, paidMinor: undefined, currency: undefined };
      }
    });
  }
}
