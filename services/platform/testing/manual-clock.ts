import type { Clock } from '../src/time/clock.js';

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  private passed = 0;

  constructor(private time: number = Date.UTC(2026, 0, 1)) {}

  now(): number {
    return this.time;
  }

  elapsed(): number {
    return this.passed;
  }

  advance(milliseconds: number): void {
    this.set(this.time + milliseconds);
  }

  set(time: number): void {
    this.passed += Math.max(0, time - this.time);
    this.time = time;
  }
}
