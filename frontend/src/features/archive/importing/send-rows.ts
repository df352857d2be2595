import { ApiError, hasCode } from '../../../server/http/api-error.js';

interface Sending<Row> {
  /** The field of the body that holds the rows: a refusal blames "posts.3.content". */
  field: 'posts' | 'comments';
  send: (rows: readonly Row[]) => Promise<unknown>;
  onSent: (rows: readonly Row[]) => void;
  /** The server does not take this row, for the reason `error`. */
  onRefused: (row: Row, error: ApiError) => Promise<void> | void;
}

/** The account takes no more of imports (LIMIT-21). */
export const isOverLimit = (error: unknown): error is ApiError => hasCode(error, 'unprocessable');

/**
 * Of the rows themselves. What concerns the whole import (`account-not-empty`) or the account (`user-disabled`) is thrown.
 */
export const isOfRows = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  ([400, 413].includes(error.status) ||
    hasCode(error, 'permission-denied', 'media-not-attachable', 'unprocessable'));

/**
 * Sends rows together. The server takes all of them or none: what it blames is left out, and the rest is sent again; where it does not
 * say which one it means, each half is sent by itself. Once one row alone is over the limit, nothing more is sent.
 */
export class RowSender<Row> {
  private full: ApiError | undefined;

  constructor(private readonly sending: Sending<Row>) {}

  /** The refusal of the row that was over the limit. */
  get overLimit(): ApiError | undefined {
    return this.full;
  }

  async send(rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    const refusal = this.full ?? (await this.refusalOf(rows));
    if (!refusal) {
      this.sending.onSent(rows);
      return;
    }
    if (rows.length === 1 && isOverLimit(refusal)) this.full = refusal;
    const blamed =
      rows.length === 1 || this.full ? new Set(rows.keys()) : blamedBy(refusal, this.sending.field);
    if (blamed.size === 0) {
      const middle = Math.ceil(rows.length / 2);
      await this.send(rows.slice(0, middle));
      await this.send(rows.slice(middle));
      return;
    }
    await this.send(rows.filter((_, index) => !blamed.has(index)));
    for (const index of blamed) {
      const row = rows[index];
      if (row !== undefined) await this.sending.onRefused(row, refusal);
    }
  }

  private async refusalOf(rows: readonly Row[]): Promise<ApiError | undefined> {
    try {
      await this.sending.send(rows);
      return undefined;
    } catch (error) {
      if (!isOfRows(error)) throw error;
      return error;
    }
  }
}

function blamedBy({ fields }: ApiError, field: string): Set<number> {
  const blamed = new Set<number>();
  for (const path of Object.keys(fields)) {
    const [name, index] = path.split('.');
    if (name === field && index !== undefined && /^\d+$/.test(index)) blamed.add(Number(index));
  }
  return blamed;
}

/** Why the server has refused a row, in its words. */
export const reasonOf = ({ fields, detail, code }: ApiError): string =>
  Object.values(fields)[0]?.message ?? detail ?? code;
