/**
 * Work that is asked for again and again: it runs once at a time, with a pause between two beginnings, and once more however often
 * it was asked for meanwhile.
 */
export class OneAtATime {
  private running = false;
  private again = false;

  /** `work` never rejects. `pause` begins with it, and the work does not begin again before it has resolved. */
  constructor(
    private readonly work: () => Promise<void>,
    private readonly pause: () => Promise<void>,
  ) {}

  ask(): void {
    this.again = true;
    if (!this.running) void this.run();
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.again) {
      this.again = false;
      await Promise.all([this.work(), this.pause()]);
    }
    this.running = false;
  }
}
