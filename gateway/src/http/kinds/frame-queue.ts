/** A reader that is further behind has lost touch: it is cheaper for it to load what it shows anew. */
const MAX_QUEUED_CHARACTERS = 1024 * 1024;

/** One server-sent event as it is written. `data` is sent as JSON, which has no line breaks; nor has `id`. */
export function eventFrame(event: string, data: unknown, id?: string): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return `event: ${event}\n${idLine}data: ${JSON.stringify(data)}\n\n`;
}

/** Frames on their way to one reader, in order and bounded. */
export class FrameQueue implements AsyncIterator<string> {
  private frames: string[] = [];
  private characters = 0;
  private isOver = false;
  private waiting: ((result: IteratorResult<string>) => void) | undefined;

  constructor(private readonly onOver: () => void = () => undefined) {}

  /** Ends the queue, without what is still in it, if the reader is too far behind. */
  push(frame: string): void {
    if (this.isOver) return;
    if (this.waiting) return this.resolve({ value: frame, done: false });
    this.characters += frame.length;
    this.frames.push(frame);
    if (this.characters <= MAX_QUEUED_CHARACTERS) return;
    this.frames = [];
    this.end();
  }

  /** What is in the queue is still read. */
  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.onOver();
    if (this.waiting) this.resolve({ value: undefined, done: true });
  }

  next(): Promise<IteratorResult<string>> {
    const frame = this.frames.shift();
    if (frame !== undefined) {
      this.characters -= frame.length;
      return Promise.resolve({ value: frame, done: false });
    }
    if (this.isOver) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => (this.waiting = resolve));
  }

  /** The reader is gone; a pending `next` ends. */
  return(): Promise<IteratorResult<string>> {
    this.frames = [];
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  private resolve(result: IteratorResult<string>): void {
    const { waiting } = this;
    this.waiting = undefined;
    waiting!(result);
  }
}
