import { UsageError } from '@pulso/platform/command-line/run-commands';
import { linesOf, type Row, timeText } from '@pulso/platform/command-line/table';
import { notFound } from '@pulso/platform/errors/domain-error';
import type { ServiceCommand } from '@pulso/platform/service/service-commands';
import { HandleProviderEvents } from '../provider-events/handle-provider-events.js';
import { Inbox } from '../inbox/inbox.js';
import { Reconcile } from '../reconcile/reconcile.js';
import { DisputeRepository } from '../store/dispute.repository.js';
import { OperatorReads } from '../store/operator-reads.repository.js';
import { type Difference, SyncCustomer } from '../sync/sync-customer.js';
import {
  CHANGE_OPTIONS,
  JSON_OPTION,
  LIMIT_OPTION,
  limitOf,
  NOTHING_CHANGED,
  operatorOf,
} from '@pulso/platform/command-line/operator-input';
import { Doctor } from './doctor.js';
import { minorOf, moneyText } from './money-text.js';
import { RefundPayment } from './refund-payment.js';
import { explainFailure } from './provider-failure.js';

/** The commands about the payment provider. */
const REFUND_ORDERED =
  'The refund is ordered. The payment provider makes it within a minute; doctor tells of refunds that it refuses.';

export const providerCommands: Readonly<Record<string, ServiceCommand>> = {
  doctor: {
    options: JSON_OPTION,
    summary: 'tells what payments need and lack: settings, webhooks, calls, refunds, the last comparison',
    prepare({ options: { json } }) {
      return async (service) => {
        const findings = await service.get(Doctor).execute();
        const rows = findings.map(({ what, isGood, detail }) => ({
          what,
          state: isGood ? 'good' : 'look',
          detail,
        }));
        return linesOf(rows, { json: json === true, empty: '' });
      };
    },
  },
  inbox: {
    options: { ...LIMIT_OPTION, ...JSON_OPTION },
    summary:
      'lists the events of the payment provider: failures first, then those that wait, then the latest',
    prepare(input) {
      const limit = limitOf(input);
      return async (service) => {
        const entries = await service.get(Inbox).list(limit);
        const rows = entries.map(({ id, type, account, customerId, accountId, disputeId, ...entry }) => ({
          ...{ id, type, about: customerId ?? accountId ?? disputeId ?? account },
          received: timeText(entry.receivedAt),
          handled: timeText(entry.handledAt),
          ...{ attempts: entry.attempts, failure: entry.failure },
        }));
        return linesOf(rows, { json: input.options['json'] === true, empty: 'No events.' });
      };
    },
  },
  sync: {
    operands: ['[<event id>]'],
    options: { customer: { type: 'string', value: '<customer id at the provider>' }, ...JSON_OPTION },
    summary:
      'handles an event of the payment provider again, or reads a customer there, and writes what is found',
    prepare({ operands: [eventId], options: { customer, json } }) {
      if ((eventId === undefined) === (customer === undefined))
        throw new UsageError('Give an event id or --customer.');
      return async (service) => {
        if (eventId !== undefined) {
          const event = await service.get(Inbox).find(eventId);
          if (!event) throw notFound(`The inbox has no event ${eventId}`);
          await explainFailure(() => service.get(HandleProviderEvents).again(event));
          return [`${eventId} handled.`];
        }
        const found = await explainFailure(() => service.get(SyncCustomer).execute(String(customer)));
        return linesOf(found.map(differenceRow), { json: json === true, empty: 'Nothing differed.' });
      };
    },
  },
  reconcile: {
    options: { apply: CHANGE_OPTIONS.apply, ...JSON_OPTION },
    summary:
      'compares all live subscriptions with the payment provider; with --apply it writes what is found there',
    prepare({ options: { apply, json } }) {
      return async (service) => {
        const { provided, customers, drifts } = await explainFailure(() =>
          service.get(Reconcile).execute({ apply: apply === true }),
        );
        const lines = linesOf(
          drifts.map((drift): Row => ({ ...drift })),
          { json: json === true, empty: 'Nothing differs.' },
        );
        if (json) return lines;
        const read = `${provided} live at the provider, ${customers} customers read again, ${drifts.length} differences.`;
        return [...lines, read, ...(apply || drifts.length === 0 ? [] : [NOTHING_CHANGED])];
      };
    },
  },
  refund: {
    operands: ['<user>', '<coach>'],
    options: {
      amount: { type: 'string', value: '<amount such as 12.50>', required: true },
      reason: { type: 'string', value: '<text>', required: true },
      ...CHANGE_OPTIONS,
      ...JSON_OPTION,
    },
    summary: 'pays back a part of a subscription’s latest payment; only with --apply; it ends nothing',
    prepare({ operands: [user = '', coach = ''], options: { amount, reason, by, apply, json } }) {
      const amountMinor = minorOf(String(amount));
      if (amountMinor === undefined) throw new UsageError('--amount must be an amount such as 12 or 12.50.');
      return async (service) => {
        const reads = service.get(OperatorReads);
        const [member, seller] = [await reads.account(user), await reads.account(coach)];
        const pair = { userId: member.id, coachId: seller.id };
        const deed = {
          by: operatorOf(by),
          reason: String(reason).trim(),
          apply: apply === true,
          amountMinor,
        };
        const { paymentId, currency, paidMinor, leftMinor } = await explainFailure(() =>
          service.get(RefundPayment).execute(pair, deed),
        );
        const row = {
          ...{ user: member.username, coach: seller.username, payment: paymentId },
          paid: moneyText(paidMinor, currency),
          leftBefore: moneyText(leftMinor, currency),
          refund: moneyText(amountMinor, currency),
        };
        return [
          ...linesOf([row], { json: json === true, empty: '' }),
          ...(json ? [] : [apply ? REFUND_ORDERED : NOTHING_CHANGED]),
        ];
      };
    },
  },
  disputes: {
    options: { ...LIMIT_OPTION, ...JSON_OPTION },
    summary:
      'lists disputed payments of subscriptions and what has become of the coach’s share, the latest first',
    prepare(input) {
      const limit = limitOf(input);
      return async (service) => {
        const found = await service.get(DisputeRepository).list(limit);
        const rows = found.map(
          ({ id, user, coach, amountMinor, shareMinor, currency, state, share, seenAt }) => ({
            ...{ id, user, coach, amount: moneyText(amountMinor, currency), state, share },
            shareAmount: moneyText(shareMinor, currency),
            seen: seenAt.toISOString(),
          }),
        );
        return linesOf(rows, { json: input.options['json'] === true, empty: 'No disputes.' });
      };
    },
  },
  prices: {
    options: {
      coach: { type: 'string', value: '<user id or username>' },
      ...LIMIT_OPTION,
      ...JSON_OPTION,
    },
    summary: 'lists coaches’ prices as the payment provider knows them, the latest first',
    prepare(input) {
      const { coach, json } = input.options;
      const limit = limitOf(input);
      return async (service) => {
        const reads = service.get(OperatorReads);
        const coachId = coach === undefined ? undefined : (await reads.account(String(coach))).id;
        const found = await reads.prices(coachId, limit);
        const rows = found.map(
          ({ id, username, amountMinor, currency, isPresent, providerId, createdAt }) => ({
            ...{ id, coach: username, price: moneyText(amountMinor, currency), present: isPresent },
            provider: providerId,
            since: createdAt.toISOString(),
          }),
        );
        return linesOf(rows, { json: json === true, empty: 'No prices.' });
      };
    },
  },
};

function differenceRow({ pair, before, after, ended, isMissing }: Difference): Row {
  return {
    ...{
      user: pair.userId,
      coach: pair.coachId,
      before: before?.status ?? null,
      after: after?.status ?? null,
    },
    accessUntil: timeText(after?.accessUntil ?? null),
    ended: ended.map(({ id, reason }) => `${id} (${reason})`).join(' '),
    missing: isMissing,
  };
}
