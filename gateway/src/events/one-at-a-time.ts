/** Work that is asked for again and again: it runs once at a time, and once more however often it was asked for meanwhile. */
export class OneAtATime {
  private running = false;
  private again = false;

  /** `work` never rejects. */
  constructor(private readonly work: () => Promise<void>) {}

  ask(): void {
    this.again = true;
    if (!this.running) void this.run();
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.again) {
      this.again = false;
      await this.work();
    }
    this.running = false;
  }
}
