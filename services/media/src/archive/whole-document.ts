import { EXPORT_END } from '@pulso/contracts/export-format';
import { DomainError } from '@pulso/platform/errors/domain-error';

/** More than all rows of an account; bounds what one request can store. */
const DOCUMENT_BYTES_MAX = 1024 * 1024 * 1024;

const END = Buffer.from(EXPORT_END);

const cutOff = () => new DomainError('unprocessable', 'The document is not whole.');
const tooLong = () => new DomainError('file-too-large', 'The document is too long.');

/** The bytes of the document of an export, counted. It throws `unprocessable` at the end of one that was cut off (ADR 21). */
export class WholeDocument {
  bytes = 0;
  private tail = Buffer.alloc(0);

  constructor(
    private readonly source: AsyncIterable<Buffer>,
    private readonly mostBytes = DOCUMENT_BYTES_MAX,
  ) {}

  async *read(): AsyncGenerator<Buffer> {
    for await (const chunk of this.source) {
      this.bytes += chunk.length;
      if (this.bytes > this.mostBytes) throw tooLong();
      this.tail = Buffer.concat([this.tail, chunk.subarray(-END.length)]).subarray(-END.length);
      yield chunk;
    }
    if (!this.tail.equals(END)) throw cutOff();
  }
}
