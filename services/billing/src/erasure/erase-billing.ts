import { Injectable } from '@nestjs/common';
import { UserEraser } from '@pulso/platform/erasure/user-eraser';
import { enderOf } from '../provider-calls/end-at-provider.js';
import { KnownUsers } from '../projections/known-users.js';
import { EndingRepository } from '../store/ending.repository.js';
import { ProviderEndingRepository } from '../store/provider-ending.repository.js';

/**
 * Billing's part of an erasure (SUBS-13): the subscriptions of the user, and those to the user, end at the provider first. The deletion
 * itself has ordered that (`KnownUsers`), and has taken the name away; here it is waited for. Payments, refunds, disputes and their ids
 * stay: the law asks for the books (ACCT-32).
 */
@Injectable()
export class EraseBilling extends UserEraser {
  constructor(
    private readonly users: KnownUsers,
    private readonly endings: EndingRepository,
    private readonly atProvider: ProviderEndingRepository,
  ) {
    super();
  }

  async erase(userId: string): Promise<boolean> {
    if (!(await this.users.isDeleted(userId))) return false;
    if ((await this.endings.list(userId)).length > 0) return false;
    return !(await this.atProvider.isWaitingFor(userId, enderOf('')));
  }
}
