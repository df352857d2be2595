import { DomainError } from '@pulso/platform/errors/domain-error';
import { OpenCheckout } from '../../src/checkout/open-checkout.js';
import { RefundPayment } from '../../src/operator/refund-payment.js';
import { RevokeSubscription } from '../../src/operator/revoke-subscription.js';
import { CancelSubscription } from '../../src/subscription/cancel-subscription.js';
import { Subscribe } from '../../src/subscription/subscribe.js';
import type { Dice } from '../start.js';
import type { PeopleActs } from './people-acts.js';
import { rules } from './rules.js';
import type { Row, Side, User } from './side.js';
import type { Town } from './town.js';

const DAY_MS = 24 * 60 * 60_000;
const PAGE = 'https://pulso.example/profile/carla';

/** Something that is wrong at once, whatever follows. */
export class Wrong extends Error {}

/** What an act of billing's own code came to: an answer, the code of a refusal, or a kill during it. */
type Came<T> = { answer: T } | { refused: string } | { killed: true };

/**
 * What members press in Pulso and on the provider's pages, and what operators and the provider's people do. Each act returns what it
 * came to, for a failure's message.
 */
export class Acts {
  /** The share of acts in which the process is killed. */
  killing = 0;

  constructor(
    private readonly town: Town,
    private readonly dice: Dice,
    private readonly people: PeopleActs,
  ) {}

  /** The page is opened, in one tab or two, and paid, left or declined. */
  async buy(side: Side, row: Row | undefined): Promise<string> {
    const { dice, town } = this;
    const { book } = town;
    const openBefore = this.openPages(side).length;
    const came = await this.openPage(side);
    if ('killed' in came) return this.killed(side);
    const pages = this.openPages(side);
    if (pages.length > 1) throw new Wrong(`${pages.length} pages of a pair can be paid`);
    if ('refused' in came) {
      if (!isUnknown(came.refused) && pages.length > openBefore)
        throw new Wrong(`told ${came.refused}, and a page is open`);
      return came.refused;
    }
    if (row?.access) throw new Wrong('a page was opened for who has access');
    if (side.isForbidden || !side.coach.isCoach)
      throw new Wrong('a page was opened for what may not be sold');
    const id = came.answer;
    const page = book.checkouts.get(id)!;
    if (page.state === 'open' && page.amountMinor !== side.coach.priceMinor)
      throw new Wrong(`the page asks for ${page.amountMinor}, the price is ${side.coach.priceMinor}`);
    if (dice.chance(0.2)) return 'left';
    if (dice.chance(0.2)) town.clock.advance(dice.below(2 * 60 * 60_000));
    book.turn();
    if (dice.chance(0.2)) await this.people.coachPrice(side);
    const other = dice.chance(0.3) ? await this.openPage(side) : undefined;
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

  async subscribe(side: Side): Promise<string> {
    const { town } = this;
    const now = town.clock.now();
    const came = await this.ask(side.user, () =>
      town.machine.get(Subscribe).execute({ coachId: side.coach.id, idempotency: undefined }),
    );
    if ('killed' in came) return this.killed(side);
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
    const came = await this.ask(side.user, () =>
      town.machine.get(CancelSubscription).execute({ coachId: side.coach.id }),
    );
    if ('killed' in came) return this.killed(side);
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

  async cardFails(side: Side): Promise<string> {
    for (const customer of this.town.customersOf(side.user)) this.town.book.setCard(customer, false);
    return '';
  }

  async cardMended(side: Side): Promise<string> {
    for (const customer of this.town.customersOf(side.user)) this.town.book.setCard(customer, true);
    return this.retry(side);
  }

  /** The provider tries once more to be paid. */
  async retry(side: Side): Promise<string> {
    const { book, clock } = this.town;
    const paid = book.living(side.pair).filter(({ id, unpaidSince }) => {
      // What was to be over by then may have been seen so before, or not.
      const isLate = unpaidSince !== null && clock.now() >= unpaidSince + 7 * DAY_MS;
      const isPaid = book.retryPayment(id);
      if (isPaid && isLate) rules.doubt(side.sold.get(id)!, clock.now());
      return isPaid;
    });
    return `${paid.length} paid`;
  }

  /** One more than Pulso would sell. */
  async second(side: Side): Promise<string> {
    const [customer] = this.town.customersOf(side.user);
    if (!customer) return 'no customer';
    const id = this.town.book.subscribe(customer, side.coach.id);
    rules.boughtThere(side, id, this.town.clock.now());
    return id;
  }

  /** The provider's people end what billing has seen. */
  async closeThere(side: Side, row: Row | undefined): Promise<string> {
    const own = this.town.book.living(side.pair).find(({ id }) => id === row?.psid);
    const sold = own && side.sold.get(own.id)!;
    if (!sold || !row?.access || sold.fate !== 'lives' || own.status !== 'active') return 'nothing';
    sold.isClosed = true;
    side.wish = undefined;
    this.town.book.end(own.id);
    return own.id;
  }

  async refund(side: Side): Promise<string> {
    const { town, dice } = this;
    const amountMinor = 100 * (1 + dice.below(500));
    const deed = { by: 'op', reason: 'year', apply: true, amountMinor };
    const came = await this.ask(side.user, () => town.machine.get(RefundPayment).execute(side.pair, deed));
    const own = (await town.row(side))?.psid;
    const sold = own ? side.sold.get(own) : undefined;
    if ('killed' in came) {
      // Whether it was ordered is in billing's own book.
      const ordered = await town.machine.rows<{ paymentId: string; sum: number }>(
        `SELECT payment_id AS "paymentId", sum(amount_minor)::int AS sum FROM refunds
         WHERE provider_subscription_id = $1 AND reason = 'year' GROUP BY 1`,
        [own],
      );
      for (const { paymentId, sum } of ordered) sold?.byHand.set(paymentId, sum);
      return 'killed';
    }
    if ('refused' in came) return came.refused;
    const { paymentId, paidMinor } = came.answer;
    const total = (sold!.byHand.get(paymentId) ?? 0) + amountMinor;
    if (total > paidMinor) throw new Wrong('an operator pays back more than was paid');
    sold!.byHand.set(paymentId, total);
    return `${amountMinor}`;
  }

  async revoke(side: Side, row: Row | undefined): Promise<string> {
    const { town } = this;
    const now = town.clock.now();
    const deed = { by: 'op', reason: 'year', apply: true };
    const came = await this.ask(side.user, () =>
      town.machine.get(RevokeSubscription).execute(side.pair, deed),
    );
    if ('killed' in came) return this.killed(side);
    if ('refused' in came) return came.refused;
    rules.endsAtOnce(side, row, 'none', now, now);
    return '';
  }

  async inPortal(side: Side, ending: boolean): Promise<string> {
    const [own] = this.town.book.living(side.pair);
    if (!own) return 'nothing';
    this.town.book.setEnding(own.id, ending);
    // Of a coach who has stopped it ends in any case.
    rules.pressedThere(side, own.id, ending || !side.coach.isCoach);
    return own.id;
  }

  private async openPage(side: Side): Promise<Came<string>> {
    const { town } = this;
    const request = { coachId: side.coach.id, successUrl: `${PAGE}?checkout=done`, cancelUrl: PAGE };
    const came = await this.ask(side.user, () => town.machine.get(OpenCheckout).execute(request));
    return 'answer' in came ? { answer: came.answer.url.split('/').at(-1)! } : came;
  }

  private openPages({ pair: { userId, coachId } }: Side) {
    const now = this.town.clock.now();
    return [...this.town.book.checkouts.values()].filter(
      ({ pair, state, expiresAt }) =>
        pair.userId === userId && pair.coachId === coachId && state === 'open' && now < expiresAt,
    );
  }

  private killed(side: Side): string {
    rules.perhaps(side, this.town.clock.now());
    return 'killed';
  }

  private async ask<T>(user: User, work: () => Promise<T>): Promise<Came<T>> {
    const { dice, town } = this;
    try {
      if (!dice.chance(this.killing)) return { answer: await town.as(user, work) };
      const came = await town.machine.killing(dice.below(24), () => town.as(user, work));
      return came ? { answer: came.result } : { killed: true };
    } catch (error) {
      if (error instanceof DomainError) return { refused: error.code };
      if (town.provider.failureOf(error) !== 'unknown' || isOfProvider(error)) return { refused: 'provider' };
      throw error;
    }
  }
}

const isUnknown = (code: string) => code === 'outcome-unknown';
const isOfProvider = (error: unknown) => error instanceof Error && error.message.startsWith('the provider: ');
