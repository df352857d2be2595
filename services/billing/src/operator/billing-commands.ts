import {
  CHANGE_OPTIONS,
  JSON_OPTION,
  LIMIT_OPTION,
  limitOf,
  MAX_LISTED,
  NOTHING_CHANGED,
  operatorOf,
  REASON_OPTION,
} from '@pulso/platform/command-line/operator-input';
import { UsageError } from '@pulso/platform/command-line/run-commands';
import { linesOf, type Row, timeText } from '@pulso/platform/command-line/table';
import type { ServiceCommand } from '@pulso/platform/service/service-commands';
import { CoachFiguresRepository } from '../store/coach-figures.repository.js';
import { EndingRepository } from '../store/ending.repository.js';
import { OperatorReads } from '../store/operator-reads.repository.js';
import { PriceRepository } from '../store/price.repository.js';
import type { Subscription } from '../store/subscription.entity.js';
import { STATUSES, type SubscriptionStatus } from '../store/subscription.js';
import { moneyText } from './money-text.js';
import { providerCommands } from './provider-commands.js';
import { refundCommands } from './refund-commands.js';
import { RecountSubscribers } from './recount-subscribers.js';
import { RevokeSubscription } from './revoke-subscription.js';

/** The commands of billing's operators. Those that change something only say what they would do, unless they have `--apply`. */
export const billingCommands: Readonly<Record<string, ServiceCommand>> = {
  show: {
    operands: ['<user id or username>'],
    options: JSON_OPTION,
    summary: 'shows a user’s account, price and counts as a coach, and subscriptions',
    prepare({ operands: [name = ''], options: { json } }) {
      return async (service) => {
        const account = await service.get(OperatorReads).account(name);
        const found = await service.get(CoachFiguresRepository).among(null, [account.id]);
        const figures = found.get(account.id);
        const price = await service.get(PriceRepository).of(account.id);
        const endings = await service.get(EndingRepository).list(account.id);
        const own = await service.get(OperatorReads).subscriptions({ userId: account.id, limit: MAX_LISTED });
        const head: Row = {
          ...account,
          price: moneyText(price.priceMinor, price.currency),
          subscribers: figures!.live,
          everSubscribed: figures!.ever,
          endingsWaiting: endings.map(({ reason }) => reason).join(' '),
        };
        const rows = own.map(rowOf);
        return [
          ...linesOf([head], { json: json === true, empty: '' }),
          ...(json ? [] : ['']),
          ...linesOf(rows, { json: json === true, empty: 'Subscribes to nobody.' }),
        ];
      };
    },
  },
  list: {
    options: {
      coach: { type: 'string', value: '<user id or username>' },
      status: { type: 'string', value: `<${STATUSES.join('|')}>` },
      ...LIMIT_OPTION,
      ...JSON_OPTION,
    },
    summary: 'lists subscriptions, the latest first',
    prepare(input) {
      const { coach, status, json } = input.options;
      const limit = limitOf(input);
      const wanted = statusOf(status);
      return async (service) => {
        const reads = service.get(OperatorReads);
        const coachId = coach === undefined ? undefined : (await reads.account(String(coach))).id;
        const found = await reads.subscriptions({ coachId, status: wanted, limit });
        return linesOf(found.map(rowOf), { json: json === true, empty: 'No subscriptions.' });
      };
    },
  },
  revoke: {
    operands: ['<user>', '<coach>'],
    options: {
      ...REASON_OPTION,
      ...CHANGE_OPTIONS,
      ...JSON_OPTION,
    },
    summary: 'ends a subscription at once; only with --apply',
    prepare({ operands: [user = '', coach = ''], options: { reason, by, apply, json } }) {
      return async (service) => {
        const reads = service.get(OperatorReads);
        const [member, seller] = [await reads.account(user), await reads.account(coach)];
        const pair = { userId: member.id, coachId: seller.id };
        const deed = { by: operatorOf(by), reason: String(reason).trim(), apply: apply === true };
        const { before, after } = await service.get(RevokeSubscription).execute(pair, deed);
        const names = { user: member.username, coach: seller.username };
        const rows = [
          { when: 'before', ...rowOf({ ...before, ...names }) },
          { when: apply ? 'now' : 'then', ...rowOf({ ...after, ...names }) },
        ];
        return [
          ...linesOf(rows, { json: json === true, empty: '' }),
          ...(json || apply ? [] : [NOTHING_CHANGED]),
        ];
      };
    },
  },
  recount: {
    options: { ...CHANGE_OPTIONS, ...JSON_OPTION },
    summary: 'counts all coaches’ subscribers again; with --apply it corrects the counts that differ',
    prepare({ options: { by, apply, json } }) {
      return async (service) => {
        const recount = service.get(RecountSubscribers);
        const { coaches, wrong } = await recount.execute({ by: operatorOf(by), apply: apply === true });
        const rows = wrong.map(({ coachId, kept, counted }) => ({
          coach: coachId,
          ...{ live: kept.live, counted: counted.live, ever: kept.ever, everCounted: counted.ever },
        }));
        const lines = linesOf(rows, { json: json === true, empty: 'All counts are right.' });
        if (json) return lines;
        const corrected = apply ? `${wrong.length} corrected.` : `${wrong.length} wrong.`;
        return [
          ...lines,
          `${coaches} coaches counted, ${corrected}`,
          ...(apply || !wrong.length ? [] : [NOTHING_CHANGED]),
        ];
      };
    },
  },
  ...providerCommands,
  ...refundCommands,
};

function rowOf(subscription: Subscription & { user: string; coach: string }): Row {
  const { id, user, coach, status, startDate, accessUntil, cancelAtPeriodEnd } = subscription;
  return {
    ...{ id, user, coach, status },
    since: timeText(startDate),
    accessUntil: timeText(accessUntil),
    cancelAtPeriodEnd,
    price: moneyText(subscription.priceMinor, subscription.priceCurrency),
  };
}

/** As the API understands it (SUBS-9): trimmed, in any case, and in American spelling, too. */
function statusOf(given: string | boolean | undefined): SubscriptionStatus | undefined {
  if (given === undefined) return undefined;
  const text = String(given).trim().toLowerCase();
  const status = STATUSES.find((known) => known === (text === 'canceled' ? 'cancelled' : text));
  if (!status) throw new UsageError(`--status must be one of ${STATUSES.join(', ')}.`);
  return status;
}
