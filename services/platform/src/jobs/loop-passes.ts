import type { Counter, Registry } from 'prom-client';
import { counter, gauge } from '../telemetry/metrics.js';
import { type Clock, systemClock } from '../time/clock.js';

/** How much later than it should a pass may end before its loop counts as one that stands still. */
const GRACE_MS = 60_000;
/** How often time is counted, and so how exactly a stillness is measured. */
const TICK_MS = 5_000;

/** One loop between its start and its stop. */
export interface WatchedLoop {
  name: string;
  /** Unix time in ms: when the last pass ended, or when the loop started. */
  lastEndAt: number;
  /** The same in the time that the process was awake. */
  lastEndAwakeMs: number;
  /** How long after it the next pass must end. */
  withinMs: number;
}

export interface LoopPassesOptions {
  /** Of the shown times. */
  clock?: Clock;
  /** Milliseconds that never go back; their start does not matter. */
  monotonic?: () => number;
}

const ofRegistries = new WeakMap<Registry, LoopPasses>();

/**
 * The started loops of a process, by its registry: their metrics, and which of them stand still. Every pass has a limit, so
 * that a loop which stands still is one that no longer works, whatever its work waits for.
 *
 * Time counts only while the process runs: it is added up by a timer, and a timer that fires late, after a suspended machine
 * or a stopped process has gone on, adds no more than two of its ticks. So nothing counts as still because of the pause.
 */
export class LoopPasses {
  private readonly loops = new Set<WatchedLoop>();
  private readonly failures: Counter<'loop'>;
  private readonly clock: Clock;
  private readonly monotonic: () => number;
  private timer: NodeJS.Timeout | undefined;
  private awakeMs = 0;
  private tickedAt = 0;

  /** What watches the loops that show themselves in this registry. */
  static of(registry: Registry): LoopPasses {
    const known = ofRegistries.get(registry) ?? new LoopPasses(registry);
    ofRegistries.set(registry, known);
    return known;
  }

  constructor(registry: Registry, options: LoopPassesOptions = {}) {
    const { clock = systemClock, monotonic = () => performance.now() } = options;
    this.clock = clock;
    this.monotonic = monotonic;
    this.failures = counter(registry, {
      name: 'pulso_loop_failures_total',
      help: 'Passes of regular work that failed or took longer than their limit',
      labelNames: ['loop'],
    });
    const oldestEnds = () => this.oldestEnds();
    gauge(registry, {
      name: 'pulso_loop_last_pass_seconds',
      help: 'Unix time when the last pass of regular work ended, or the work was started; of loops with one name the oldest',
      labelNames: ['loop'],
      collect() {
        this.reset();
        for (const [loop, at] of oldestEnds()) this.set({ loop }, at / 1000);
      },
    });
  }

  /** From now on a pass must end within `withinMs`. */
  started(name: string, withinMs: number): WatchedLoop {
    if (this.loops.size === 0) this.startCounting();
    const loop = { name, withinMs, lastEndAt: this.clock.now(), lastEndAwakeMs: this.now() };
    this.loops.add(loop);
    this.failures.inc({ loop: name }, 0);
    return loop;
  }

  /** A pass has ended, and the next one must within `withinMs`. */
  ended(loop: WatchedLoop, withinMs: number): void {
    loop.withinMs = withinMs;
    loop.lastEndAt = this.clock.now();
    loop.lastEndAwakeMs = this.now();
  }

  failed(name: string): void {
    this.failures.inc({ loop: name });
  }

  stopped(loop: WatchedLoop): void {
    this.loops.delete(loop);
    if (this.loops.size === 0) clearInterval(this.timer);
  }

  /** The names of the loops that stand still, each once. */
  still(): string[] {
    const now = this.now();
    const still = [...this.loops].filter(
      ({ lastEndAwakeMs, withinMs }) => now - lastEndAwakeMs > withinMs + GRACE_MS,
    );
    return [...new Set(still.map(({ name }) => name))];
  }

  private oldestEnds(): Map<string, number> {
    const ends = new Map<string, number>();
    for (const { name, lastEndAt } of this.loops)
      ends.set(name, Math.min(lastEndAt, ends.get(name) ?? Infinity));
    return ends;
  }

  private startCounting(): void {
    this.tickedAt = this.monotonic();
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.timer.unref();
  }

  private tick(): void {
    this.awakeMs = this.now();
    this.tickedAt = this.monotonic();
  }

  /** The time that the process was awake; between two ticks no more than the next one may add. */
  private now(): number {
    return this.awakeMs + Math.min(this.monotonic() - this.tickedAt, 2 * TICK_MS);
  }
}
