import { Inject, Injectable } from '@nestjs/common';
import { noteWrite } from '@pulso/platform/context/request-context';
import type { Topic } from '@pulso/contracts/topics/topic';
import type { Clock } from '@pulso/platform/time/clock';
import { CLOCK } from './tokens.js';

/** As old as a write may be for `Pulso-After` to carry it (design.md, "Read your own writes"). */
const CARRIED_MS = 60_000;

/** Tells the caller which states their committed write has left. */
@Injectable()
export class WriteMarks {
  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /**
   * Call it after the commit, also when nothing had to be changed: the answer of the request that did may have been
   * lost. What is older has long been delivered.
   */
  note<T>(topic: Topic<T>, state: T): void {
    const version = topic.versionOf(state);
    if (version < (this.clock.now() - CARRIED_MS) * 1000) return;
    noteWrite({ topic: topic.name, key: topic.keyOf(state), version });
  }
}
