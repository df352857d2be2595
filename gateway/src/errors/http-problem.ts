import { ERROR_TABLE, type ErrorCode } from './error-table.js';

/** A refusal that only HTTP knows (405, 415, …); what services refuse is a DomainError. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';

  constructor(
    readonly code: ErrorCode,
    detail: string = ERROR_TABLE[code].meaning,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
  }

  get status(): number {
    return ERROR_TABLE[this.code].status;
  }
}
