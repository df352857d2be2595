import { Injectable } from '@nestjs/common';
import { Writes } from '@pulso/platform/postgres/writes';
import type { ServiceCommand } from '@pulso/platform/service/service-commands';
import { KnownPrices } from '../projections/known-prices.js';
import { PriceIntents } from '../store/price-intents.js';
import { UserRepository } from '../store/user.repository.js';

/** Asks billing again for every price that identity knows, after billing has forgotten some: it takes the newest intent. */
@Injectable()
export class IntendPrices {
  constructor(
    private readonly writes: Writes,
    private readonly users: UserRepository,
    private readonly prices: KnownPrices,
    private readonly intents: PriceIntents,
  ) {}

  /** Returns how many it has asked for. A transaction each, so that nobody who is served waits for more than one. */
  async execute(): Promise<number> {
    let asked = 0;
    for (const coachId of await this.prices.coachIds()) {
      if (await this.intend(coachId)) asked += 1;
    }
    return asked;
  }

  private intend(coachId: string): Promise<boolean> {
    return this.writes.run(async (transaction) => {
      const user = await this.users.lockById(coachId, transaction);
      if (!user?.price || user.status === 'deleted') return false;
      await this.intents.store(user.id, user.price, transaction);
      return true;
    });
  }
}

export const priceCommands: Readonly<Record<string, ServiceCommand>> = {
  'intend-prices': {
    summary:
      'asks billing again for all prices, after billing was restored to an earlier moment; safe to repeat',
    prepare: () => async (service) => [
      `${await service.get(IntendPrices).execute()} prices asked for again.`,
    ],
  },
};
