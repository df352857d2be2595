import { Busboy } from '@fastify/busboy';
import { validationFailed } from '@pulso/platform/errors/domain-error';
import { cutText } from '@pulso/platform/text/graphemes';
import type { IncomingMessage } from 'node:http';

/** The parts of a form: texts, then one file. */
export interface Parts {
  fields: ReadonlyMap<string, string>;
  file: Buffer;
  /** As the client has said; empty and `text/plain` unless it did. */
  fileName: string;
  fileType: string;
}

export interface PartLimits {
  /** The names of the texts that the form may have, before its file. */
  fields: readonly string[];
  fileBytes: number;
  /** What the form has besides its file. */
  formBytes: number;
  /** At least so many bytes in so much time. */
  paceBytes: number;
  paceMs: number;
  tooLarge: () => Error;
}

/** The body comes slower than an upload may be. */
export class TooSlow extends Error {}

const PARTS_MAX = 10;
/** A part's name is the client's own text: of any length, unless it is cut. */
const LONGEST_NAME = 64;

export const refused = (path: string, message: string) =>
  validationFailed([{ path, message, code: 'invalid' }]);

/**
 * Reads a form with one `file`, of which at most `limits.fileBytes` are kept. Throws `validation-failed` for another form, what
 * `tooLarge` makes, TooSlow, and the signal's reason when the client leaves.
 */
export async function readParts(
  request: IncomingMessage,
  limits: PartLimits,
  signal: AbortSignal,
): Promise<Parts> {
  // A signal that is aborted already fires no event.
  signal.throwIfAborted();
  const parser = parserOf(request, limits);
  const fields = new Map<string, string>();
  const chunks: Buffer[] = [];
  const named = { fileName: '', fileType: '' };
  let hasFile = false;
  let received = 0;
  let lately = 0;
  const pace = { timer: undefined as NodeJS.Timeout | undefined };
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (path: string | undefined, message: string) =>
        reject(refused(cutText(path ?? 'file', LONGEST_NAME), message));
      pace.timer = setInterval(() => {
        if (lately < limits.paceBytes) reject(new TooSlow());
        lately = 0;
      }, limits.paceMs);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      parser.on('field', (name, value, nameTruncated, valueTruncated) => {
        if (hasFile) return fail(name, 'Must be before the file');
        if (nameTruncated || !limits.fields.includes(name)) return fail(name, 'Is unknown');
        if (fields.has(name)) return fail(name, 'Must be given once');
        if (valueTruncated) return fail(name, 'Is too long');
        fields.set(name, value);
      });
      parser.on('file', (name, stream, fileName, _encoding, fileType) => {
        if (name !== 'file' || hasFile) fail(name, hasFile ? 'Must be given once' : 'Is unknown');
        hasFile = true;
        Object.assign(named, { fileName: fileName ?? '', fileType: fileType ?? '' });
        stream.on('error', reject);
        stream.on('limit', () => reject(limits.tooLarge()));
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      });
      parser.on('partsLimit', () => fail('file', 'The form has too many parts'));
      parser.on('error', () => reject(refused('file', 'The form is malformed')));
      parser.on('finish', resolve);
      request.on('error', reject);
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
        lately += chunk.length;
        if (received > limits.fileBytes + limits.formBytes) reject(limits.tooLarge());
      });
      request.pipe(parser);
    });
  } finally {
    clearInterval(pace.timer);
    request.unpipe(parser);
  }
  if (!hasFile) throw refused('file', 'File is required');
  return { fields, ...named, file: Buffer.concat(chunks) };
}

function parserOf(request: IncomingMessage, { fileBytes }: PartLimits) {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) throw refused('file', 'The body must be multipart/form-data');
  const fieldSize = 4096;
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': type },
      limits: { fileSize: fileBytes, fieldSize, fieldNameSize: 100, parts: PARTS_MAX, headerPairs: 20 },
    });
  } catch {
    throw refused('file', 'The form is malformed');
  }
}
