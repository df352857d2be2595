import { EXPORT_END } from '@pulso/contracts/export-format';
import { DomainError } from '@pulso/platform/errors/domain-error';

/** More than all rows of an account; bounds what one request can store. */
const DOCUMENT_BYTES_MAX = 1024 * 1024 * 1024;

/** How much of one is stored before room on the disk is asked for again. */
export const ROOM_STEP_BYTES = 16 * 1024 * 1024;

const END = Buffer.from(EXPORT_END);

const cutOff = () => new DomainError('unprocessable', 'The document is not whole.');
const tooLong = () => new DomainError('file-too-large', 'The document is too long.');

/**
 * The bytes of the document of an export, counted. It throws `unprocessable` at the end of one that was cut off (ADR 21), `file-too-large`,
 * and what `requireRoom` throws, which it asks before the first byte and each time that so many have come.
 */
export class WholeDocument {
  bytes = 0;
  private tail = Buffer.alloc(0);
  private readonly mostBytes: number;
  private readonly stepBytes: number;

  constructor(
    private readonly source: AsyncIterable<Buffer>,
    private readonly requireRoom: () => Promise<void>,
    { mostBytes = DOCUMENT_BYTES_MAX, stepBytes = ROOM_STEP_BYTES } = {},
  ) {
    this.mostBytes = mostBytes;
    this.stepBytes = stepBytes;
  }

  async *read(): AsyncGenerator<Buffer> {
    let hasRoomFor = 0;
    for await (const chunk of this.source) {
      this.bytes += chunk.length;
      if (this.bytes > this.mostBytes) throw tooLong();
      if (this.bytes > hasRoomFor) {
        await this.requireRoom();
        hasRoomFor = this.bytes + this.stepBytes;
      }
      this.tail = Buffer.concat([this.tail, chunk.subarray(-END.length)]).subarray(-END.length);
      yield chunk;
    }
    if (!this.tail.equals(END)) throw cutOff();
  }
}
