import { errorEntry, type HttpErrorCode } from './error-table.js';

/** A refusal by the gateway itself (405, 415, …); a service refuses with a DomainError. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';

  constructor(
    readonly code: HttpErrorCode,
    detail: string = errorEntry(code).meaning,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
  }

  get status(): number {
    return errorEntry(this.code).status;
  }
}
