import { Injectable } from '@nestjs/common';
import type { ForeignCallId } from '@pulso/platform/foreign-calls/foreign-call-kind';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import type { ProviderDispute, ProviderSubscription } from '../provider/payment-provider.js';
import { ProviderCalls } from '../provider-calls/provider-calls.js';
import { DisputeRepository, type Share, type StoredDispute } from '../store/dispute.repository.js';

/** A refused call is made again under another key after so long. */
const AGAIN_MS = 24 * 60 * 60_000;

/** Takes the coach's share of a disputed payment back, once, and gives it back, once, where the dispute is won (SUBS-34). */
@Injectable()
export class SettleDisputes {
  constructor(
    private readonly disputes: DisputeRepository,
    private readonly calls: ProviderCalls,
    private readonly clock: Clock,
  ) {}

  /** Requires the lock of the pair that the subscriptions are of. */
  async execute(provided: readonly ProviderSubscription[], transaction: Transaction): Promise<void> {
    for (const subscription of provided)
      for (const dispute of subscription.disputes) {
        const stored = await this.disputes.see(dispute, subscription, transaction);
        if (dispute.state === 'won') await this.giveBack(dispute, stored, transaction);
        else await this.takeBack(dispute, stored, transaction);
      }
  }

  private async takeBack(
    { id: disputeId, paymentId, amountMinor }: ProviderDispute,
    stored: StoredDispute,
    transaction: Transaction,
  ): Promise<void> {
    const id = this.callOf(disputeId, stored, ['untouched', 'take-refused']);
    if (!id) return;
    await this.calls.takeShareBack.enqueue(transaction, id, { disputeId, paymentId, amountMinor });
    await this.disputes.ordered(disputeId, 'taking', transaction);
  }

  /** Where the share is being taken back just now, the end of that call orders another look. */
  private async giveBack(
    { id: disputeId, paymentId }: ProviderDispute,
    stored: StoredDispute,
    transaction: Transaction,
  ): Promise<void> {
    const id = this.callOf(disputeId, stored, ['taken', 'give-refused']);
    if (!id || !stored.shareMinor) return;
    const request = { disputeId, paymentId, amountMinor: stored.shareMinor };
    await this.calls.giveShareBack.enqueue(transaction, id, request);
    await this.disputes.ordered(disputeId, 'giving', transaction);
  }

  /** Of the call that is to be made now, where the share stands as it has to, or that call was refused long ago. */
  private callOf(
    disputeId: string,
    { share, orderedAt }: StoredDispute,
    [before, refused]: readonly [Share, Share],
  ): ForeignCallId | undefined {
    const caller = 'disputes';
    if (share === before) return { caller, key: disputeId };
    const now = this.clock.now();
    const isDue = share === refused && now - orderedAt!.getTime() >= AGAIN_MS;
    return isDue ? { caller, key: `${disputeId}:${now}` } : undefined;
  }
}
