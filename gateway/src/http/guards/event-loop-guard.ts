const SAMPLE_MS = 100;
/** One long task is no overload. */
const SLOW_SAMPLES = 2;
/** Of the delay from which on requests are refused. */
const STRAINED_PART = 0.25;

/**
 * Tells when the event loop is so far behind that new requests are better refused (LIMIT-5). Measures how late a
 * timer comes; perf_hooks' histogram loses the first delay after each reset, which here is all there is.
 */
export class EventLoopGuard {
  private timer: NodeJS.Timeout | undefined;
  private sampledAt = 0;
  private delayMs = 0;
  private slowSamples = 0;

  /** `maxDelayMs` is in milliseconds; with 0 the loop is never overloaded, and its delay is still measured. */
  constructor(private readonly maxDelayMs: number) {}

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

  /** Behind enough to leave out what is not needed: nothing while no delay counts as overload. */
  get strained(): boolean {
    return this.maxDelayMs > 0 && this.delayMs > this.maxDelayMs * STRAINED_PART;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private sample(): void {
    const now = performance.now();
    this.delayMs = Math.max(0, now - this.sampledAt - SAMPLE_MS);
    this.sampledAt = now;
    const isSlow = this.maxDelayMs > 0 && this.delayMs > this.maxDelayMs;
    this.slowSamples = isSlow ? this.slowSamples + 1 : 0;
  }
}
