import { RefundPayment } from '../../src/operator/refund-payment.js';
import { RevokeSubscription } from '../../src/operator/revoke-subscription.js';
import type { Dice } from '../start.js';
import { type Asking, Wrong } from './asking.js';
import { rules } from './rules.js';
import type { Row, Side, Sold } from './side.js';
import type { Town } from './town.js';

const DAY_MS = 24 * 60 * 60_000;

/** What cards, banks, the provider's pages and people, and Pulso's operators do. Each act returns what it came to. */
export class MoneyActs {
  constructor(
    private readonly town: Town,
    private readonly dice: Dice,
    private readonly asking: Asking,
  ) {}

  async cardFails(side: Side): Promise<string> {
    for (const customer of this.town.book.customersOf(side.user.id)) this.town.book.setCard(customer, false);
    return '';
  }

  async cardMended(side: Side): Promise<string> {
    for (const customer of this.town.book.customersOf(side.user.id)) this.town.book.setCard(customer, true);
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
    const [customer] = this.town.book.customersOf(side.user.id);
    if (!customer) return 'no customer';
    const id = this.town.book.subscribe(customer, side.coach.id);
    rules.boughtThere(side, id, this.town.clock.now());
    return id;
  }

  /** The provider's people end what billing has seen, and perhaps pay a part of it back, or all. */
  async closeThere(side: Side, row: Row | undefined): Promise<string> {
    const { town, dice } = this;
    const { book } = town;
    const own = book.living(side.pair).find(({ id }) => id === row?.psid);
    const sold = own && side.sold.get(own.id)!;
    if (!sold || !row?.access || sold.fate !== 'lives' || own.status !== 'active') return 'nothing';
    sold.isClosed = true;
    side.wish = undefined;
    book.end(own.id);
    const { paymentId, refundedMinor } = own.latestPayment!;
    const ordered = sold.byHand.get(paymentId ?? '') ?? 0;
    // What operators have ordered and is still to be made they would find in Pulso.
    const back =
      ordered === refundedMinor && dice.chance(0.4) && book.refundThere(own.id, dice.pick([0.5, 1]));
    if (back) sold.byHand.set(back.paymentId, ordered + back.amountMinor);
    return back ? `${own.id}, and ${back.amountMinor} paid back` : own.id;
  }

  /** The payer goes to the bank about the last payment, of what lives or of what has ended. */
  async dispute(side: Side): Promise<string> {
    const { town } = this;
    const last = town.book.of(side.pair).findLast(({ latestPayment }) => latestPayment?.paymentId);
    if (!last) return 'nothing';
    const { id, latestPayment, disputes } = last;
    const { paymentId, paidMinor, refundedMinor } = latestPayment!;
    if (refundedMinor === paidMinor || disputes.some((each) => each.paymentId === paymentId))
      return 'nothing';
    town.book.dispute(id);
    rules.disputed(side, id, { paymentId: paymentId!, refundedMinor }, town.clock.now());
    return id;
  }

  /** The bank decides on all that is open of the pair. */
  async decide(side: Side): Promise<string> {
    const { town, dice } = this;
    const open = town.book
      .of(side.pair)
      .flatMap(({ disputes }) => disputes.filter(({ state }) => state === 'open'));
    return open
      .map(({ id }) => {
        const state = dice.pick(['won', 'lost'] as const);
        town.book.decideDispute(id, state);
        return `${id} ${state}`;
      })
      .join(', ');
  }

  /** A holiday: the provider's people let payments rest, or ask for them again (SUBS-9). */
  async pause(side: Side, isPaused: boolean): Promise<string> {
    const [own] = this.town.book.living(side.pair);
    if (own) this.town.book.setPaused(own.id, isPaused);
    return own?.id ?? 'nothing';
  }

  async refund(side: Side, row: Row | undefined): Promise<string> {
    const { town, dice } = this;
    // Of what the provider's people pay back at the same time, the two sums could be more than was paid: it refuses the second.
    if (row?.psid && side.sold.get(row.psid)!.isClosed) return 'closed';
    const amountMinor = 100 * (1 + dice.below(dice.pick([40, 600])));
    const deed = { by: 'op', reason: 'year', apply: true, amountMinor };
    const came = await this.asking.ask(side.user, () =>
      town.machine.get(RefundPayment).execute(side.pair, deed),
    );
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
    if ('refused' in came) {
      this.checkRefused(side, sold, amountMinor, came.refused);
      return came.refused;
    }
    if (!sold) throw new Wrong('an operator pays back what was never paid');
    const { paymentId, paidMinor } = came.answer;
    const total = (sold.byHand.get(paymentId) ?? 0) + amountMinor;
    if (total > paidMinor) throw new Wrong('an operator pays back more than was paid');
    sold.byHand.set(paymentId, total);
    return `${amountMinor}`;
  }

  /** Operators may pay back what is left. */
  private checkRefused(side: Side, sold: Sold | undefined, amountMinor: number, code: string): void {
    if (code !== 'unprocessable' || sold?.fate !== 'lives') return;
    const payment = this.town.book.paymentsOf(sold.id).at(-1);
    if (!payment?.paymentId) return;
    const left = payment.paidMinor - (sold.byHand.get(payment.paymentId) ?? 0);
    if (amountMinor <= left && side.sold.size === 1)
      throw new Wrong(`${amountMinor} of ${left} could not be paid back`);
  }

  async revoke(side: Side, row: Row | undefined): Promise<string> {
    const { town } = this;
    const now = town.clock.now();
    const deed = { by: 'op', reason: 'year', apply: true };
    const came = await this.asking.ask(side.user, () =>
      town.machine.get(RevokeSubscription).execute(side.pair, deed),
    );
    if ('killed' in came) return this.asking.killed(side);
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
}
