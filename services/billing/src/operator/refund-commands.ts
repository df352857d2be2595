import {
  CHANGE_OPTIONS,
  JSON_OPTION,
  LIMIT_OPTION,
  limitOf,
  NOTHING_CHANGED,
  operatorOf,
  REASON_OPTION,
} from '@pulso/platform/command-line/operator-input';
import { linesOf, type Row, timeText } from '@pulso/platform/command-line/table';
import type { ServiceCommand } from '@pulso/platform/service/service-commands';
import { type ListedRefund, RefundRepository } from '../store/refund.repository.js';
import { moneyText } from './money-text.js';
import { SettleRefund } from './settle-refund.js';

/** The commands about refunds that were ordered. */
export const refundCommands: Readonly<Record<string, ServiceCommand>> = {
  refunds: {
    options: { all: { type: 'boolean' }, ...LIMIT_OPTION, ...JSON_OPTION },
    summary:
      'lists refunds that are not made: refused by the payment provider and not settled, or still to be made; with --all the others as well',
    prepare(input) {
      const limit = limitOf(input);
      const { all, json } = input.options;
      return async (service) => {
        const found = await service.get(RefundRepository).list({ all: all === true, limit });
        return linesOf(found.map(rowOf), { json: json === true, empty: 'No refunds.' });
      };
    },
  },
  'settle-refund': {
    operands: ['<refund id>'],
    options: { ...REASON_OPTION, ...CHANGE_OPTIONS, ...JSON_OPTION },
    summary:
      'says that a refund which the payment provider has refused was settled elsewhere; only with --apply; it pays nothing',
    prepare({ operands: [id = ''], options: { reason, by, apply, json } }) {
      return async (service) => {
        const deed = { by: operatorOf(by), reason: String(reason).trim(), apply: apply === true };
        const refund = await service.get(SettleRefund).execute(id, deed);
        const row = { ...rowOf(refund), [apply ? 'now' : 'then']: 'settled' };
        return [
          ...linesOf([row], { json: json === true, empty: '' }),
          ...(json || apply ? [] : [NOTHING_CHANGED]),
        ];
      };
    },
  },
};

function rowOf({ id, providerSubscriptionId, paymentId, reason, state, ...refund }: ListedRefund): Row {
  return {
    ...{ id, subscription: providerSubscriptionId, payment: paymentId },
    ...{ amount: moneyText(refund.amountMinor, refund.currency), reason, state },
    since: timeText(refund.createdAt.getTime()),
    settled: timeText(refund.dealtWithAt?.getTime() ?? null),
  };
}
