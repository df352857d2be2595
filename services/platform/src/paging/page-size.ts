import { PAGE_SIZE, REFUSALS } from '@pulso/contracts/limits';
import { validationFailed } from '../errors/domain-error.js';

/** Items a page (HTTP-5): 1–100, 20 when not said (0 on the wire). Throws `validation-failed`. */
export function pageSize(limit: number): number {
  if (limit === 0) return PAGE_SIZE.usual;
  if (Number.isInteger(limit) && limit >= 1 && limit <= PAGE_SIZE.max) return limit;
  throw validationFailed([{ path: 'limit', code: 'out-of-range', message: REFUSALS.pageSize }]);
}
