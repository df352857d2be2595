import { IMAGE } from '@pulso/contracts/limits';
import type { IncomingMessage } from 'node:http';
import { fileTooLarge } from '../store/asset-errors.js';
import type { AssetPurpose } from '../store/asset.js';
import { readParts, refused } from './read-parts.js';
import { shownName } from './shown-name.js';
import type { UploadLimits } from './upload-limits.js';

/** The form of an image. Name and size are those before the browser compressed the picture; '' and 0: unknown. */
export interface UploadForm {
  purpose: AssetPurpose;
  originalName: string;
  originalSize: number;
  file: Buffer;
}

const FIELDS = ['purpose', 'originalName', 'originalSize'];

/**
 * Reads the upload of an image: `purpose`, `originalName` and `originalSize`, then `file`, of which at most `limits.fileBytes` are
 * kept. Throws `validation-failed` for another form, `file-too-large`, TooSlow, and the signal's reason when the client leaves.
 */
export async function readForm(
  request: IncomingMessage,
  limits: UploadLimits,
  signal: AbortSignal,
): Promise<UploadForm> {
  const { fileBytes, formBytes, paceBytes, paceMs } = limits;
  const bounds = { fields: FIELDS, fileBytes, formBytes, paceBytes, paceMs, tooLarge: fileTooLarge };
  const { fields, file } = await readParts(request, bounds, signal);
  return { ...toFields(fields), file };
}

function toFields(fields: ReadonlyMap<string, string>): Omit<UploadForm, 'file'> {
  const purpose = fields.get('purpose');
  if (purpose !== 'post' && purpose !== 'avatar') throw refused('purpose', 'Must be post or avatar');
  const size = fields.get('originalSize') ?? '';
  const originalSize = Number(size);
  if (!/^\d*$/.test(size) || !Number.isSafeInteger(originalSize))
    throw refused('originalSize', 'Must be a whole number of bytes');
  const originalName = shownName(fields.get('originalName') ?? '', IMAGE.originalNameMax);
  return { purpose, originalName, originalSize };
}
