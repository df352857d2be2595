import { unavailable } from '@pulso/platform/errors/domain-error';
import type { IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { HttpProblem } from '../errors/http-problem.js';
import { MAX_DRAINED_BYTES } from '../http/endpoint.js';

/** How often in each period of the pace we look whether media takes what comes. */
const CHECKS_PER_PACE_WINDOW = 10;

export interface UploadPace {
  /** The fewest bytes that must come in each `everyMs` while media takes them, and while others want the place as well. */
  bytes: number;
  bytesWhenCrowded: number;
  everyMs: number;
}

export interface UploadBodyLimits {
  maxBytes: number;
  tooLarge: () => Error;
  pace: UploadPace;
  isCrowded: () => boolean;
  /** How long media may take nothing of what has come. */
  answerMs: number;
}

/** The body of an upload on its way to media, counted and watched. */
export class UploadBody extends Transform {
  private bytes = 0;
  private readonly timer: NodeJS.Timeout;

  /** `refuse` is told what is wrong: `file-too-large`, `request-timeout` or `unavailable`. */
  constructor(
    private readonly source: IncomingMessage,
    private readonly limits: UploadBodyLimits,
    private readonly refuse: (reason: Error) => void,
  ) {
    super();
    this.timer = this.watch();
    // Whoever reads it tells why: media's answer may come before the end of the body.
    this.on('error', () => undefined);
    source.pipe(this);
  }

  /** Of the time in which media holds the sender up, nothing is asked of the sender. */
  private watch(): NodeJS.Timeout {
    const { pace, isCrowded, answerMs } = this.limits;
    let [looks, isHeld, asked, heldMs, before] = [0, true, 0, 0, 0];
    return setInterval(() => {
      looks += 1;
      if (!this.writableNeedDrain) {
        isHeld = false;
        asked += (isCrowded() ? pace.bytesWhenCrowded : pace.bytes) / CHECKS_PER_PACE_WINDOW;
      }
      if (looks < CHECKS_PER_PACE_WINDOW) return;
      const came = this.bytes - before;
      heldMs = isHeld && came === 0 ? heldMs + pace.everyMs : 0;
      if (heldMs >= answerMs) this.refuse(unavailable());
      else if (came < Math.floor(asked) && !this.source.complete) {
        this.refuse(new HttpProblem('request-timeout'));
      }
      [looks, isHeld, asked, before] = [0, true, 0, this.bytes];
    }, pace.everyMs / CHECKS_PER_PACE_WINDOW).unref();
  }

  /** How much has come. */
  get taken(): number {
    return this.bytes;
  }

  /** Ends what goes to media with what has come by now, as if the sender had ended there. */
  endEarly(): void {
    clearInterval(this.timer);
    this.source.unpipe(this);
    this.end();
  }

  /** Reads what still comes, without keeping it, so that the client gets to its answer. */
  release(): void {
    clearInterval(this.timer);
    const { source } = this;
    source.unpipe(this);
    this.destroy();
    let drained = 0;
    source.on('data', (chunk: Buffer) => {
      drained += chunk.length;
      if (drained > MAX_DRAINED_BYTES) source.destroy();
    });
    source.resume();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    if (this.bytes <= this.limits.maxBytes) return done(null, chunk);
    this.refuse(this.limits.tooLarge());
    // Nothing more goes to media, which must not take the part for the whole: `done` is never called.
  }
}
