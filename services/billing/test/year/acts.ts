import { OpenCheckout } from '../../src/checkout/open-checkout.js';
import { CancelSubscription } from '../../src/subscription/cancel-subscription.js';
import { Subscribe } from '../../src/subscription/subscribe.js';
import type { Dice } from '../start.js';
import { type Asking, type Came, Wrong } from './asking.js';
import type { PeopleActs } from './people-acts.js';
import { rules } from './rules.js';
import type { Row, Side } from './side.js';
import type { Town } from './town.js';

const PAGE = 'https://pulso.example/profile/carla';

/** What members press in Pulso and on the page that they pay on. Each act returns what it came to, for a failure's message. */
export class Acts {
  constructor(
    private readonly town: Town,
    private readonly dice: Dice,
    private readonly people: PeopleActs,
    private readonly asking: Asking,
  ) {}

  /** The page is opened, in one tab or two, and paid, left or declined. */
  async buy(side: Side, row: Row | undefined): Promise<string> {
    const { dice, town } = this;
    const { book } = town;
    const came = await this.openPage(side, row);
    if ('killed' in came) return this.asking.killed(side);
    if ('refused' in came) return came.refused;
    const id = came.answer;
    if (dice.chance(0.2)) return 'left';
    if (dice.chance(0.2)) town.clock.advance(dice.below(2 * 60 * 60_000));
    book.turn();
    if (dice.chance(0.2)) await this.people.coachPrice(side);
    const other = dice.chance(0.3) ? await this.openPage(side, row) : undefined;
    const ids = new Set(other && 'answer' in other ? [id, other.answer] : [id]);
    if (dice.chance(0.1)) return 'declined';
    const bought = [...ids].flatMap((each) =>
      book.checkouts.get(each)!.state === 'open' ? [book.pay(each)] : [],
    );
    for (const each of bought) side.bought(each);
    if (bought.length > 1) throw new Wrong('two tabs have paid twice');
    if (bought.length === 0) return 'too late';
    return dice.chance(0.6) ? `paid, ${await this.subscribe(side)}` : 'paid';
  }

  /** Returns the page, which can be paid, asks for the coach's price, and is sold to nobody who has or may have it. */
  private async openPage(side: Side, row: Row | undefined): Promise<Came<string>> {
    const { book, machine, provider } = this.town;
    const { coach, pair } = side;
    const [openBefore, failuresBefore] = [book.openPagesOf(pair).length, provider.failures];
    const request = { coachId: coach.id, successUrl: `${PAGE}?checkout=done`, cancelUrl: PAGE };
    const came = await this.asking.ask(side.user, () => machine.get(OpenCheckout).execute(request));
    if ('killed' in came) return came;
    const pages = book.openPagesOf(pair);
    if (pages.length > 1) throw new Wrong(`${pages.length} pages of a pair can be paid`);
    if ('refused' in came) {
      const { refused } = came;
      if (!isUnknown(refused) && pages.length > openBefore)
        throw new Wrong(`told ${refused}, and a page is open`);
      if (provider.failures === failuresBefore && !this.mayRefuse(side, row, refused))
        throw new Wrong(`a page was refused for no reason: ${refused}`);
      return came;
    }
    if (row?.access) throw new Wrong('a page was opened for who has access');
    if (side.isForbidden || !coach.isCoach) throw new Wrong('a page was opened for what may not be sold');
    if (book.living(pair).some(({ currency }) => currency === coach.currency))
      throw new Wrong('a page was opened for who has paid already');
    const answer = came.answer.url.split('/').at(-1)!;
    const page = book.checkouts.get(answer)!;
    if (!pages.includes(page)) throw new Wrong('the page cannot be paid any more');
    if (page.amountMinor !== coach.priceMinor || page.currency !== coach.currency)
      throw new Wrong(`the page asks for ${page.amountMinor}, the price is ${coach.priceMinor}`);
    return { answer };
  }

  /** Whether who is what they are may be refused a page with this code, while the provider answers (SUBS-8, SUBS-14). */
  private mayRefuse({ user, coach, blocks, pair }: Side, row: Row | undefined, code: string): boolean {
    if (user.status !== 'active') return true;
    switch (code) {
      case 'conflict':
        return row?.access === true || this.town.book.living(pair).length > 0;
      case 'not-found':
        return blocks.byCoach || coach.status !== 'active';
      case 'blocked':
        return blocks.byUser;
      case 'not-a-coach':
        return !coach.isCoach;
      case 'price-not-set':
        return coach.priceMinor === null;
      // Nothing is to be paid: what is free is subscribed to directly.
      case 'unprocessable':
        return coach.priceMinor === 0;
      // An earlier press has left a call about the page whose outcome nobody knows, or the account's event was lost.
      default:
        return ['outcome-unknown', 'unavailable', 'coach-not-ready'].includes(code);
    }
  }

  async subscribe(side: Side): Promise<string> {
    const { town } = this;
    const now = town.clock.now();
    const came = await this.asking.ask(side.user, () =>
      town.machine.get(Subscribe).execute({ coachId: side.coach.id, idempotency: undefined }),
    );
    if ('killed' in came) return this.asking.killed(side);
    const after = await town.row(side);
    if ('refused' in came) {
      if (came.refused === 'payment-required' && after?.access)
        throw new Wrong('told to pay for what there is');
      return came.refused;
    }
    const { paid, givesAccess, cancelAtPeriodEnd } = came.answer.subscription!;
    if (!givesAccess) throw new Wrong('told of a subscription without access');
    if (side.isForbidden || !side.coach.isCoach)
      throw new Wrong('subscribed to who may not be subscribed to');
    if (!paid && side.free !== true && side.coach.priceMinor !== 0) {
      if (side.free === false) throw new Wrong('a paid coach was given for nothing');
    }
    rules.subscribed(side, after, { paid: paid !== undefined, ending: cancelAtPeriodEnd }, now);
    return paid ? 'has it paid' : 'has it free';
  }

  async unsubscribe(side: Side, row: Row | undefined): Promise<string> {
    const { town } = this;
    const came = await this.asking.ask(side.user, () =>
      town.machine.get(CancelSubscription).execute({ coachId: side.coach.id }),
    );
    if ('killed' in came) return this.asking.killed(side);
    if ('refused' in came) {
      if (row?.access && side.user.status === 'active')
        throw new Wrong(`nobody is kept from ending theirs: ${came.refused}`);
      return came.refused;
    }
    const { givesAccess: access, cancelAtPeriodEnd: ending, accessUntil, currentPeriodEnd } = came.answer;
    if (access && accessUntil !== currentPeriodEnd)
      throw new Wrong('told of another end than that of the period');
    rules.unsubscribed(side, row, { access, ending }, town.clock.now());
    return access ? 'ends with its period' : 'ended';
  }
}

const isUnknown = (code: string) => code === 'outcome-unknown';
