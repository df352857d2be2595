import { ApiError } from '../../../server/http/api-error.js';

interface Sending<Row> {
  /** The field of the body that holds the rows: a refusal blames "posts.3.content". */
  field: 'posts' | 'comments';
  send: (rows: readonly Row[]) => Promise<unknown>;
  onSent: (rows: readonly Row[]) => void;
  /** The server does not take this row, for the reason `error`. */
  onRefused: (row: Row, error: ApiError) => Promise<void> | void;
}

/** Of the rows themselves. What concerns the whole import (`account-not-empty`, `unprocessable`) is thrown. */
export const isOfRows = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  ([400, 403, 413].includes(error.status) || error.code === 'media-not-attachable');

/**
 * Sends rows together. The server takes all of them or none: what it blames is left out, and the rest is sent again; where it does not
 * say which one it means, each half is sent by itself.
 */
export async function sendRows<Row>(rows: readonly Row[], sending: Sending<Row>): Promise<void> {
  if (rows.length === 0) return;
  let refusal: ApiError;
  try {
    await sending.send(rows);
    sending.onSent(rows);
    return;
  } catch (error) {
    if (!isOfRows(error)) throw error;
    refusal = error;
  }
  const blamed = rows.length === 1 ? new Set([0]) : blamedBy(refusal, sending.field);
  if (blamed.size === 0) {
    const middle = Math.ceil(rows.length / 2);
    await sendRows(rows.slice(0, middle), sending);
    await sendRows(rows.slice(middle), sending);
    return;
  }
  await sendRows(
    rows.filter((_, index) => !blamed.has(index)),
    sending,
  );
  for (const index of blamed) {
    const row = rows[index];
    if (row !== undefined) await sending.onRefused(row, refusal);
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
