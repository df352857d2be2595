import { Injectable } from '@nestjs/common';
import { AuditTrail } from '@pulso/platform/audit/audit-trail';
import { DomainError, notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Writes } from '@pulso/platform/postgres/writes';
import { type ListedRefund, RefundRepository } from '../store/refund.repository.js';
import { moneyText } from './money-text.js';

/** Takes an operator's word that a refund which the provider has refused was settled elsewhere, as in the provider's dashboard. */
@Injectable()
export class SettleRefund {
  constructor(
    private readonly writes: Writes,
    private readonly refunds: RefundRepository,
    private readonly audit: AuditTrail,
  ) {}

  /** Returns the refund as it was before. Throws `not-found`, and `conflict` for one that is not refused or was settled before. */
  execute(
    id: string,
    { by, reason, apply }: { by: string; reason: string; apply: boolean },
  ): Promise<ListedRefund> {
    return this.writes.run(async (transaction) => {
      const refund = isId(id) ? await this.refunds.lock(id, transaction) : undefined;
      if (!refund) throw notFound('There is no such refund; refunds lists them.');
      if (refund.state !== 'refused')
        throw new DomainError('conflict', `This refund is ${refund.state}: only refused ones are settled.`);
      if (refund.dealtWithAt !== null)
        throw new DomainError('conflict', 'This refund was settled before; see audit.');
      if (apply) {
        await this.refunds.dealWith(id, transaction);
        const outcome = `${moneyText(refund.amountMinor, refund.currency)} of ${refund.paymentId}, refused by the provider, counts as settled`;
        await this.audit.record({ by, command: 'settle-refund', subject: id, reason, outcome }, transaction);
      }
      return refund;
    });
  }
}
