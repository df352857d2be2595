const SAMPLE_MS = 100;
/** In a row: one long task is no overload, and no strain. */
const SLOW_SAMPLES = 2;
/** Of the delay from which on requests are refused. */
const STRAINED_PART = 0.25;
/** A turn of the loop with fewer requests is no crowd, however long it takes. */
const CROWD = 32;

/**
 * Tells when the event loop is so far behind that new requests are better refused (LIMIT-5). Measures how late a
 * timer comes; perf_hooks' histogram loses the first delay after each reset, which here is all there is.
 */
export class EventLoopGuard {
  private timer: NodeJS.Timeout | undefined;
  private sampledAt = 0;
  private delayMs = 0;
  private slowSamples = 0;
  private strainedSamples = 0;
  private readonly strainedMs: number;
  private turnBegan = 0;
  private inTurn = 0;
  private longTurnEnded = -Infinity;
  private isCrowded = false;

  /** `maxDelayMs` is in milliseconds; with 0 the loop is never overloaded, and its delay is still measured. */
  constructor(private readonly maxDelayMs: number) {
    this.strainedMs = maxDelayMs * STRAINED_PART;
  }

  /** To be called when requests can arrive: what delays the loop while starting is nobody's load. */
  start(): void {
    this.sampledAt = performance.now();
    this.timer = setInterval(() => this.sample(), SAMPLE_MS).unref();
  }

  /** How late the last sample came, in milliseconds. */
  get delay(): number {
    return this.delayMs;
  }

  get overloaded(): boolean {
    return this.slowSamples >= SLOW_SAMPLES;
  }

  /** Behind enough to leave out what is not needed (LIMIT-16): nothing while no delay counts as overload. */
  get strained(): boolean {
    return this.strainedSamples >= SLOW_SAMPLES;
  }

  /**
   * Whether a request that has just come is to be served; to be asked once for each. What is answered within one turn of
   * the loop never counts as under way, so neither a late timer nor LIMIT-9 tells that it has waited in the system's
   * buffers for its turn. A crowd that comes once is served; of those that follow, each has a quarter of the delay.
   */
  admit(): boolean {
    if (this.overloaded) return false;
    if (this.maxDelayMs === 0) return true;
    this.inTurn += 1;
    const now = performance.now();
    if (this.inTurn === 1) {
      this.turnBegan = now;
      this.isCrowded = now - this.longTurnEnded < SAMPLE_MS;
      setImmediate(this.endTurn);
    }
    return !this.isCrowded || this.inTurn <= CROWD || now - this.turnBegan <= this.strainedMs;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private readonly endTurn = (): void => {
    const now = performance.now();
    if (this.inTurn > CROWD && now - this.turnBegan > this.strainedMs) this.longTurnEnded = now;
    this.inTurn = 0;
  };

  private sample(): void {
    const now = performance.now();
    this.delayMs = Math.max(0, now - this.sampledAt - SAMPLE_MS);
    this.sampledAt = now;
    const isBeyond = (limitMs: number) => this.maxDelayMs > 0 && this.delayMs > limitMs;
    this.slowSamples = isBeyond(this.maxDelayMs) ? this.slowSamples + 1 : 0;
    this.strainedSamples = isBeyond(this.strainedMs) ? this.strainedSamples + 1 : 0;
  }
}
