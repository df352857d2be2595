import { validationFailed } from '../errors/domain-error.js';

const DEFAULT_SIZE = 20;
const MAX_SIZE = 100;

/** Items a page (http-api.md, Conventions): 1–100, 20 when not said (0 on the wire). Throws `validation-failed`. */
export function pageSize(limit: number): number {
  if (limit === 0) return DEFAULT_SIZE;
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_SIZE) return limit;
  throw validationFailed([
    { path: 'limit', code: 'out-of-range', message: `limit must be from 1 to ${MAX_SIZE}` },
  ]);
}
