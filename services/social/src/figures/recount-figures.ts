import { Injectable } from '@nestjs/common';
import { Writes } from '@pulso/platform/postgres/writes';
import type { ServiceCommand } from '@pulso/platform/service/service-commands';
import { FiguresRepository } from '../store/figures.repository.js';
import { SocialRows } from '../store/social-rows.js';

const USERS_PER_BATCH = 500;

/** Counts everybody's followers and reviews anew and corrects the sums that are wrong, while they are written and read. */
@Injectable()
export class RecountFigures {
  constructor(
    private readonly writes: Writes,
    private readonly figures: FiguresRepository,
    private readonly kept: SocialRows,
  ) {}

  async execute(): Promise<{ users: number; corrected: number }> {
    const total = { users: 0, corrected: 0 };
    let last: string | undefined;
    do {
      const step = await this.writes.run((transaction) =>
        this.figures.recount(last, USERS_PER_BATCH, transaction),
      );
      last = step.last;
      total.users += step.users;
      total.corrected += step.corrected;
    } while (last !== undefined);
    if (total.corrected > 0) this.kept.allChanged();
    return total;
  }
}

export const figureCommands: Readonly<Record<string, ServiceCommand>> = {
  'recount-figures': {
    summary: 'counts all followers and reviews again and corrects sums that differ; safe to repeat',
    prepare: () => async (service) => {
      const { users, corrected } = await service.get(RecountFigures).execute();
      return [`${users} users counted, ${corrected} corrected.`];
    },
  },
};
