import { isPublished, PUBLISHED_ERRORS, type PublishedCode } from '@pulso/contracts/error-codes';
import { HTTP_STATUS } from '@pulso/platform/errors/http-status';

/** What every stable code of a problem means; published in the OpenAPI document and at /api/docs. */
export interface ErrorEntry {
  status: number;
  title: string;
  meaning: string;
}

/** Refusals that only HTTP knows: no service answers with them. */
const HTTP_ERRORS = {
  'invalid-json': { status: 400, title: 'Invalid JSON', meaning: 'The body is not JSON in UTF-8.' },
  'bad-request': { status: 400, title: 'Bad request', meaning: 'The request is not well-formed HTTP.' },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path exists; `Allow` lists its methods.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    meaning: 'The request took too long to arrive.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    meaning:
      'Bodies are application/json in UTF-8, without `Content-Encoding`; those of uploads multipart/form-data.',
  },
  'range-not-satisfiable': {
    status: 416,
    title: 'Range not satisfiable',
    meaning: 'The file is shorter than that; `Content-Range` tells its length.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Headers too large',
    meaning: 'The request’s headers are too large.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type HttpErrorCode = PublishedCode | keyof typeof HTTP_ERRORS;

export function errorEntry(code: HttpErrorCode): ErrorEntry {
  if (!isPublished(code)) return HTTP_ERRORS[code];
  const { kind, title, meaning } = PUBLISHED_ERRORS[code];
  return { status: HTTP_STATUS[kind], title, meaning };
}

/** Every code of the HTTP API, by status. */
export const ERROR_CODES: readonly HttpErrorCode[] = [
  ...(Object.keys(PUBLISHED_ERRORS) as PublishedCode[]),
  ...(Object.keys(HTTP_ERRORS) as (keyof typeof HTTP_ERRORS)[]),
].sort((a, b) => errorEntry(a).status - errorEntry(b).status);
