export interface ReadEvent {
  event: string;
  data: unknown;
  id?: string;
}

/** Reads an open stream of server-sent events. */
export class EventReader {
  private readonly reader: ReadableStreamDefaultReader<string>;
  private text = '';
  /** Comments that have come so far. */
  comments = 0;

  constructor(readonly response: Response) {
    this.reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** The next event; undefined at the end of the stream. */
  async next(): Promise<ReadEvent | undefined> {
    for (;;) {
      const block = await this.block();
      if (block === undefined || !block.startsWith(':'))
        return block === undefined ? undefined : parse(block);
      this.comments += 1;
    }
  }

  /** Resolves when one more comment has come; events before it are lost. Rejects at the end of the stream. */
  async comment(): Promise<void> {
    for (let block = await this.block(); !block?.startsWith(':'); block = await this.block()) {
      if (block === undefined) throw new Error('The stream has ended');
    }
    this.comments += 1;
  }

  /** All further events, to the end of the stream. */
  async rest(): Promise<ReadEvent[]> {
    const events: ReadEvent[] = [];
    for (let event = await this.next(); event; event = await this.next()) events.push(event);
    return events;
  }

  async cancel(): Promise<void> {
    await this.reader.cancel();
  }

  private async block(): Promise<string | undefined> {
    for (;;) {
      const end = this.text.indexOf('\n\n');
      if (end >= 0) {
        const block = this.text.slice(0, end);
        this.text = this.text.slice(end + 2);
        return block;
      }
      const { done, value } = await this.reader.read();
      if (done) return undefined;
      this.text += value;
    }
  }
}

function parse(block: string): ReadEvent {
  const fields = block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]);
  const { data, ...rest } = Object.fromEntries(fields) as { event: string; data: string; id?: string };
  return { ...rest, data: JSON.parse(data) as unknown };
}
