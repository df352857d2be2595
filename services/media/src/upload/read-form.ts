import { Busboy } from '@fastify/busboy';
import { IMAGE } from '@pulso/contracts/limits';
import { validationFailed } from '@pulso/platform/errors/domain-error';
import { cutText } from '@pulso/platform/text/graphemes';
import { canonical } from '@pulso/platform/text/text-rules';
import type { IncomingMessage } from 'node:http';
import { fileTooLarge } from '../store/asset-errors.js';
import type { AssetPurpose } from '../store/asset.js';
import type { UploadLimits } from './upload-limits.js';

/** The form of an upload. Name and size are those before the browser compressed the picture; '' and 0: unknown. */
export interface UploadForm {
  purpose: AssetPurpose;
  originalName: string;
  originalSize: number;
  file: Buffer;
}

/** The body comes slower than an upload may be. */
export class TooSlow extends Error {}

const FIELDS = ['purpose', 'originalName', 'originalSize'];
const FIELDS_MAX = 10;
/** A part's name is the client's own text: of any length, unless it is cut. */
const LONGEST_NAME = 64;
/** Also marks of direction, behind which `gpj.exe` is shown as `exe.jpg`. Joiners stay: emoji need them. */
const UNREADABLE = /\p{Cc}|\p{Cs}|\p{Bidi_Control}/gu;

const refused = (path: string, message: string) => validationFailed([{ path, message, code: 'invalid' }]);

/**
 * Reads an upload: `purpose`, `originalName` and `originalSize`, then `file`, of which at most `limits.fileBytes` are kept.
 * Throws `validation-failed` for another form, `file-too-large`, TooSlow, and the signal's reason when the client leaves.
 */
export async function readForm(
  request: IncomingMessage,
  limits: UploadLimits,
  signal: AbortSignal,
): Promise<UploadForm> {
  // A signal that is aborted already fires no event.
  signal.throwIfAborted();
  const parser = parserOf(request, limits);
  const fields = new Map<string, string>();
  const chunks: Buffer[] = [];
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
        if (nameTruncated || !FIELDS.includes(name)) return fail(name, 'Is unknown');
        if (fields.has(name)) return fail(name, 'Must be given once');
        if (valueTruncated) return fail(name, 'Is too long');
        fields.set(name, value);
      });
      parser.on('file', (name, stream) => {
        if (name !== 'file' || hasFile) fail(name, hasFile ? 'Must be given once' : 'Is unknown');
        hasFile = true;
        stream.on('error', reject);
        stream.on('limit', () => reject(fileTooLarge()));
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      });
      parser.on('partsLimit', () => fail('file', 'The form has too many parts'));
      parser.on('error', () => reject(refused('file', 'The form is malformed')));
      parser.on('finish', resolve);
      request.on('error', reject);
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
        lately += chunk.length;
        if (received > limits.fileBytes + limits.formBytes) reject(fileTooLarge());
      });
      request.pipe(parser);
    });
  } finally {
    clearInterval(pace.timer);
    request.unpipe(parser);
  }
  if (!hasFile) throw refused('file', 'File is required');
  return { ...toFields(fields), file: Buffer.concat(chunks) };
}

function parserOf(request: IncomingMessage, { fileBytes }: UploadLimits) {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) throw refused('file', 'The body must be multipart/form-data');
  const fieldSize = 4096;
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': type },
      limits: { fileSize: fileBytes, fieldSize, fieldNameSize: 100, parts: FIELDS_MAX, headerPairs: 20 },
    });
  } catch {
    throw refused('file', 'The form is malformed');
  }
}

function toFields(fields: ReadonlyMap<string, string>): Omit<UploadForm, 'file'> {
  const purpose = fields.get('purpose');
  if (purpose !== 'post' && purpose !== 'avatar') throw refused('purpose', 'Must be post or avatar');
  const size = fields.get('originalSize') ?? '';
  const originalSize = Number(size);
  if (!/^\d*$/.test(size) || !Number.isSafeInteger(originalSize))
    throw refused('originalSize', 'Must be a whole number of bytes');
  // Shown only, so a strange name is mended and never refused.
  const name = canonical(fields.get('originalName') ?? '')
    .replace(UNREADABLE, '')
    .trim();
  return { purpose, originalName: cutText(name, IMAGE.originalNameMax), originalSize };
}
