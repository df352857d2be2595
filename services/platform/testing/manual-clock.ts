import type { Clock } from '../src/time/clock.js';

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  constructor(private time: number = Date.UTC(2026, 0, 1)) {}

  now(): number {
    return this.time;
  }

  advance(milliseconds: number): void {
    this.time += milliseconds;
  }

  set(time: number): void {
    this.time = time;
  }
}
