import { paymentNoticeTopic } from '@pulso/contracts/topics/billing';
import type { NoticeKind } from '../../src/store/payment-notice.entity.js';
import type { Row } from './side.js';
import type { Town } from './town.js';
import { keyOf } from './year-book.js';

const DAY_MS = 24 * 60 * 60_000;
const GRACE_MS = 7 * DAY_MS;

interface Notice {
  id: string;
  key: string;
  kind: NoticeKind;
  psid: string;
  cause: string;
  amount: number;
  currency: string;
  until: number | null;
}

interface Refund {
  id: string;
  state: string;
  refundId: string | null;
  paymentId: string;
  amount: number;
  isBegunAnew: boolean;
}

/** What is wrong, by what it is about. */
type Wrong = [what: string, wrong: readonly unknown[]];

/** Billing's books agree with themselves, with the provider's, and with what payers are told. */
export class BooksAtRest {
  private checkedAt = 0;
  private readonly told = new Map<string, Notice>();

  constructor(private readonly town: Town) {}

  async check(): Promise<Wrong[]> {
    const { machine } = this.town;
    const refunds = await this.allRefunds();
    const wrong = [
      await this.counts(),
      ...(await this.refunds(refunds)),
      await this.disputes(),
      ...(await this.notices(new Map(refunds.map((refund) => [refund.id, refund])))),
    ];
    await machine.rows('DELETE FROM outbox');
    this.checkedAt = this.town.clock.now();
    return wrong;
  }

  private async counts(): Promise<Wrong> {
    const wrong = await this.town.machine.rows(
      `SELECT coach_id, kept.live_count, counted.live FROM coach_counts kept CROSS JOIN LATERAL (
         SELECT count(*)::int AS live FROM subscriptions s WHERE s.coach_id = kept.coach_id AND s.gives_access
       ) AS counted WHERE kept.live_count <> counted.live`,
    );
    return ['counts of coaches', wrong];
  }

  /** What was ordered is what the provider has made. What is disputed by then it refuses. */
  private async refunds(refunds: readonly Refund[]): Promise<Wrong[]> {
    const { machine, book } = this.town;
    const made = new Map(book.refunds.map((refund) => [refund.refundId, refund]));
    const isDisputed = (id: string) => book.isDisputed(id);
    const wrong = refunds.filter(({ state, refundId, paymentId, amount }) => {
      if (state === 'refused') return !isDisputed(paymentId);
      const there = made.get(refundId ?? '');
      return state !== 'paid' || there?.paymentId !== paymentId || there.amountMinor !== amount;
    });
    const paid = refunds.filter(({ state }) => state === 'paid');
    const refused = await machine.rows<{ kind: string; paymentId: string | null }>(
      `SELECT kind, caller, request ->> 'paymentId' AS "paymentId" FROM foreign_calls
       WHERE state = 'refused' AND kind IN ('refund', 'cancelNow', 'takeShareBack', 'giveShareBack')`,
    );
    return [
      ['refunds that the provider has not made so', wrong],
      ['refunds here and there', paid.length === made.size ? [] : [paid.length, made.size]],
      [
        'calls that the provider refuses',
        refused.filter(({ kind, paymentId }) => kind !== 'refund' || !isDisputed(paymentId!)),
      ],
    ];
  }

  private allRefunds(): Promise<Refund[]> {
    return this.town.machine.rows(
      `SELECT id, state, refund_id AS "refundId", payment_id AS "paymentId", amount_minor AS amount,
         NOT EXISTS (SELECT FROM provider_endings WHERE provider_subscription_id = r.provider_subscription_id)
         AND NOT EXISTS (SELECT FROM subscriptions WHERE provider_subscription_id = r.provider_subscription_id)
         AS "isBegunAnew" FROM refunds r`,
    );
  }

  /** The coach's share of what is disputed is taken once, and given again once where the payer has lost (SUBS-34). */
  private async disputes(): Promise<Wrong> {
    const { machine, book } = this.town;
    const rows = await machine.rows<{ id: string; state: string; share: string }>(
      'SELECT id, state, share FROM disputes',
    );
    const stored = new Map(rows.map((row) => [row.id, row]));
    const all = book.disputedOnes().flatMap(({ disputes }) => disputes);
    const wrong = all.filter(({ id, state, amountMinor }) => {
      const row = stored.get(id);
      const shares = state === 'won' ? ['given', 'untouched'] : ['taken'];
      const taken = state === 'won' ? 0 : amountMinor;
      return row?.state !== state || !shares.includes(row.share) || (book.sharesTaken.get(id) ?? 0) !== taken;
    });
    return [
      'disputes',
      wrong.map((dispute) => [dispute, stored.get(dispute.id), book.sharesTaken.get(dispute.id)]),
    ];
  }

  /** Each fact is told once, to who has paid, as the provider has it (MAIL-12). */
  private async notices(refunds: ReadonlyMap<string, Refund>): Promise<Wrong[]> {
    const { machine } = this.town;
    const since = await machine.rows<Notice>(
      `SELECT id, user_id || '_' || coach_id AS key, kind, provider_subscription_id AS psid, cause, amount_minor AS amount,
         currency, floor(extract(epoch FROM until) * 1000)::float8 AS until FROM payment_notices WHERE at > $1`,
      [new Date(this.checkedAt)],
    );
    const twice = since.filter((notice) => this.told.has(factOf(notice)));
    for (const notice of since) this.told.set(factOf(notice), notice);
    const staged = await machine.rows<{ key: string }>('SELECT key FROM outbox WHERE topic = $1', [
      paymentNoticeTopic.name,
    ]);
    const published = new Set(staged.map(({ key }) => key));
    const untold = [...refunds.values()].filter(
      ({ id, state, isBegunAnew }) => state === 'paid' && !isBegunAnew && !this.told.has(`refund ${id}`),
    );
    return [
      ['told twice', twice],
      ['told, and not so', since.filter((notice) => !this.isTrue(notice, refunds))],
      ['told to nobody', since.filter(({ id }) => !published.has(id))],
      ['told without being stored', published.size === since.length ? [] : [...published]],
      ['paid back, and not told', untold],
      ['paid or missing, and not told', await this.untold()],
    ];
  }

  private isTrue(notice: Notice, refunds: ReadonlyMap<string, Refund>): boolean {
    const { kind, psid, cause, amount, currency, until, key } = notice;
    const { book } = this.town;
    const subscription = book.present(psid);
    if (keyOf(subscription.pair) !== key || subscription.currency !== currency) return false;
    const payments = book.paymentsOf(psid);
    if (kind === 'failed') {
      const missing = payments.some(({ periodStart }) => periodStart === Number(cause));
      return missing && amount === subscription.amountMinor && until! <= Number(cause) + GRACE_MS;
    }
    if (kind === 'renewed') {
      const payment = payments.slice(1).find(({ id }) => id === cause);
      return payment?.paidMinor === amount && amount > 0 && payment.periodEnd === until;
    }
    if (kind === 'disputed')
      return subscription.disputes.some(({ id, amountMinor }) => id === cause && amountMinor === amount);
    const refund = refunds.get(cause);
    return (
      refund?.state === 'paid' &&
      refund.amount === amount &&
      payments.some((each) => each.paymentId === refund.paymentId)
    );
  }

  /** Renewals that were paid within the last week, and payments that are missing, of those with access. */
  private async untold(): Promise<unknown[]> {
    const { town } = this;
    const now = town.clock.now();
    const rows: ReadonlyMap<string, Row> = await town.allRows();
    return town.sides.flatMap(({ pair, name }) => {
      const row = rows.get(keyOf(pair));
      const own = town.book.living(pair).find(({ id }) => id === row?.psid);
      if (!own || !row!.access) return [];
      const payments = town.book.paymentsOf(own.id);
      const { id, paidMinor, periodStart } = payments.at(-1)!;
      const isNew = payments.length > 1 && paidMinor > 0 && now - periodStart < GRACE_MS;
      const facts =
        own.unpaidSince === null
          ? isNew
            ? [`renewed ${own.id} ${id}`]
            : []
          : [`failed ${own.id} ${own.unpaidSince}`];
      return facts.filter((fact) => !this.told.has(fact)).map((fact) => `${name}: ${fact}`);
    });
  }
}

/** What a notice is about: a refund by its id alone, whoever it is of. */
const factOf = ({ kind, psid, cause }: Notice): string =>
  kind === 'refunded' || kind === 'second-refunded' ? `refund ${cause}` : `${kind} ${psid} ${cause}`;
