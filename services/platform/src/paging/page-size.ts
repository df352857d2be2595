import { PAGE_SIZE, VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { validationFailed } from '../errors/domain-error.js';

/** Items per page (HTTP-5): 1–100, and 20 if not given (0 on the wire). Throws `validation-failed`. */
export function pageSize(limit: number): number {
  if (limit === 0) return PAGE_SIZE.usual;
  if (Number.isInteger(limit) && limit >= 1 && limit <= PAGE_SIZE.max) return limit;
  throw validationFailed([{ path: 'limit', code: 'out-of-range', message: VALIDATION_MESSAGES.pageSize }]);
}
