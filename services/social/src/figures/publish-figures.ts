import { Injectable } from '@nestjs/common';
import { Writes } from '@pulso/platform/postgres/writes';
import { FiguresRepository } from '../store/figures.repository.js';

/** The most changes that one transaction adds: some tens of milliseconds of work. */
const CHANGES_PER_BATCH = 500;

/**
 * Adds the changes of users' figures to the kept sums and publishes these: many changes of one user between two runs are
 * one event. Reads need no run, as they add the changes themselves.
 */
@Injectable()
export class PublishFigures {
  constructor(
    private readonly writes: Writes,
    private readonly figures: FiguresRepository,
  ) {}

  /** Ends when all changes are added, or another process is adding them. */
  async execute(stopping?: AbortSignal): Promise<void> {
    // Most of the time there are none, and this costs less than a transaction.
    if (!(await this.figures.haveChanged())) return;
    let added: number;
    do {
      added = await this.writes.run((transaction) => this.figures.addChanges(CHANGES_PER_BATCH, transaction));
    } while (added === CHANGES_PER_BATCH && !stopping?.aborted);
  }
}
