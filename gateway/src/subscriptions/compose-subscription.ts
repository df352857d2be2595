import { Injectable } from '@nestjs/common';
import type { Subscription as SubscriptionMessage } from '@pulso/contracts/billing/v1/billing';
import { IdentityClient } from '../clients.js';
import { ComposeProfile, isSeen } from '../profiles/compose-profile.js';
import { toOwnSubscription } from '../profiles/to-own-subscription.js';
import { required } from '../user-ref/to-user-ref.js';
import type { Subscription } from './subscription.dto.js';
import { toSubscription } from './to-subscription.js';

/** What a subscription says of the price of a coach whom the viewer may not know. */
const NO_PRICE = { priceMinor: undefined, currency: '' };

/** Adds the coaches' profiles to subscriptions of the caller; of a coach who is gone or hidden only the id (SUBS-31). */
@Injectable()
export class ComposeSubscription {
  constructor(
    private readonly identity: IdentityClient,
    private readonly profiles: ComposeProfile,
  ) {}

  async one(subscription: SubscriptionMessage): Promise<Subscription> {
    const [composed] = await this.list([subscription]);
    return required(composed, 'subscription');
  }

  /** At most 100. */
  async list(subscriptions: readonly SubscriptionMessage[]): Promise<Subscription[]> {
    if (subscriptions.length === 0) return [];
    const ids = subscriptions.map(({ coachId }) => coachId);
    const [{ users }, numbers] = await Promise.all([
      this.identity.getUsers({ ids }),
      this.profiles.numbersOf(ids),
    ]);
    const byId = new Map(users.map((user) => [user.id, user]));
    return subscriptions.map((subscription, index) => {
      const { coachId, givesAccess } = subscription;
      const user = byId.get(coachId);
      const coach = this.profiles.evenGone(coachId, user, numbers[index]!);
      // Billing has told it with the subscription: another answer of its own might be a moment older.
      const own = givesAccess ? toOwnSubscription(subscription) : null;
      const viewer = coach.viewer && { ...coach.viewer, subscribed: givesAccess, subscription: own };
      const told = isSeen(user, numbers[index]!) ? subscription : { ...subscription, ...NO_PRICE };
      return toSubscription(told, { ...coach, viewer });
    });
  }
}
