import { ERRORS } from '@tus/utils';

/** A refusal in the words of the tus library, which answers with its status and body. */
export class TusRefusal extends Error {
  readonly status_code: number;
  readonly body: string;

  constructor({ status_code: status, body }: { status_code: number; body: string }) {
    super(body);
    this.status_code = status;
    this.body = body;
  }
}

export const wrongOffset = () => new TusRefusal(ERRORS.INVALID_OFFSET);
