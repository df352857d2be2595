import { Injectable } from '@nestjs/common';
import type { ErasedUserState } from '@pulso/contracts/common/v1/events';
import { billingErasureTopic } from '@pulso/contracts/topics/billing';
import { mediaErasureTopic } from '@pulso/contracts/topics/media';
import { messagingErasureTopic } from '@pulso/contracts/topics/messaging';
import { postsErasureTopic } from '@pulso/contracts/topics/posts';
import { socialErasureTopic } from '@pulso/contracts/topics/social';
import { ownerOf, type Topic } from '@pulso/contracts/topics/topic';
import type { Projection } from '@pulso/platform/events/projection';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import { EraseAccount } from '../erasure/erase-account.js';
import type { Erasure } from '../store/erasure.entity.js';
import { ErasureIntake } from '../store/erasure-intake.js';
import { ErasureRepository } from '../store/erasure.repository.js';
import type { User } from '../store/user.entity.js';
import { UserRepository } from '../store/user.repository.js';

/** What follows from an acknowledgement of any service. */
@Injectable()
export class Acknowledgements {
  constructor(
    private readonly writes: Writes,
    private readonly users: UserRepository,
    private readonly erasures: ErasureRepository,
    private readonly intake: ErasureIntake,
    private readonly erase: EraseAccount,
  ) {}

  take(service: string, state: ErasedUserState): Promise<void> {
    return this.writes.run((transaction) => this.takeIn(service, state, transaction));
  }

  versionOf(service: string, userId: string): Promise<number | undefined> {
    return this.erasures.acknowledgedVersion(service, userId);
  }

  private async takeIn(service: string, state: ErasedUserState, transaction: Transaction): Promise<void> {
    const { userId } = state;
    // The user's row first, as in every transaction that has both.
    const user = await this.users.lockById(userId, transaction);
    const erasure =
      user &&
      ((await this.erasures.lock(userId, transaction)) ?? (await this.restore(user, service, transaction)));
    await this.erasures.acknowledge(service, state, erasure, transaction);
    if (!user || !(await this.erasures.isAcknowledged(userId, transaction))) return;
    await this.erasures.complete(userId, transaction);
    await this.users.freeEmail(userId, transaction);
  }

  /**
   * The account of a user whom a service has erased, and of whom this store has no erasure: if it was restored from before that, the account
   * must not come back. Else a wrong message would erase a live account: an operator says which it is. Throws where none has.
   */
  private async restore(user: User, service: string, transaction: Transaction): Promise<Erasure | null> {
    if (!(await this.intake.isOpen(transaction)))
      throw new Error(
        `${service} has erased user ${user.id}, whose erasure is unknown here: after a restore of identity run take-erasures, then replay`,
      );
    await this.erase.execute(user, transaction);
    return this.erasures.lock(user.id, transaction);
  }
}

/** Identity's projection of what one service has erased. */
abstract class AcknowledgementsOf implements Projection<ErasedUserState> {
  readonly name: string;
  private readonly service: string;

  constructor(
    readonly topic: Topic<ErasedUserState>,
    private readonly all: Acknowledgements,
  ) {
    this.service = ownerOf(topic);
    this.name = `erased-by-${this.service}`;
  }

  async apply(state: ErasedUserState): Promise<boolean> {
    await this.all.take(this.service, state);
    return true;
  }

  versionOf(userId: string): Promise<number | undefined> {
    return this.all.versionOf(this.service, userId);
  }
}

@Injectable()
export class ErasedByBilling extends AcknowledgementsOf {
  constructor(all: Acknowledgements) {
    super(billingErasureTopic, all);
  }
}

@Injectable()
export class ErasedByMedia extends AcknowledgementsOf {
  constructor(all: Acknowledgements) {
    super(mediaErasureTopic, all);
  }
}

@Injectable()
export class ErasedByMessaging extends AcknowledgementsOf {
  constructor(all: Acknowledgements) {
    super(messagingErasureTopic, all);
  }
}

@Injectable()
export class ErasedByPosts extends AcknowledgementsOf {
  constructor(all: Acknowledgements) {
    super(postsErasureTopic, all);
  }
}

@Injectable()
export class ErasedBySocial extends AcknowledgementsOf {
  constructor(all: Acknowledgements) {
    super(socialErasureTopic, all);
  }
}
