import { DomainError } from '@pulso/platform/errors/domain-error';
import type { Dice } from '../start.js';
import { rules } from './rules.js';
import type { Side, User } from './side.js';
import type { Town } from './town.js';

/** Something that is wrong at once, whatever follows. */
export class Wrong extends Error {}

/** What an act of billing's own code came to: an answer, the code of a refusal, or a kill during it. */
export type Came<T> = { answer: T } | { refused: string } | { killed: true };

/** Asks billing's own code for something, as its callers do. */
export class Asking {
  /** The share of acts in which the process is killed. */
  killing = 0;

  constructor(
    private readonly town: Town,
    private readonly dice: Dice,
  ) {}

  async ask<T>(user: User, work: () => Promise<T>): Promise<Came<T>> {
    const { dice, town } = this;
    try {
      if (!dice.chance(this.killing)) return { answer: await town.as(user, work) };
      const came = await town.machine.killing(dice.below(24), () => town.as(user, work));
      return came ? { answer: came.result } : { killed: true };
    } catch (error) {
      if (error instanceof DomainError) return { refused: error.code };
      if (town.provider.failureOf(error) !== 'unknown' || isOfProvider(error)) return { refused: 'provider' };
      throw error;
    }
  }

  /** The same where nothing is killed, as it is a part of something else. */
  async unharmed<T>(work: () => Promise<T>): Promise<T> {
    const { killing } = this;
    this.killing = 0;
    try {
      return await work();
    } finally {
      this.killing = killing;
    }
  }

  /** Nobody knows what has happened of the act. */
  killed(side: Side): string {
    rules.perhaps(side, this.town.clock.now());
    return 'killed';
  }
}

export const isOfProvider = (error: unknown) =>
  error instanceof Error && error.message.startsWith('the provider: ');
