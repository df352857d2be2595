import mongoose from 'mongoose';
import { isStatementTimeout, isStoreTrouble } from '../errors/store-trouble.js';

/** The longest time of one read, in ms: a request's whole budget. */
export const READ_BUDGET_MS = 5_000;

/** Whether a write failed because a unique key is taken. */
export function isDuplicateKey(error: unknown): boolean {
  return (error as { code?: unknown }).code === 11000;
}

/** Whether the driver repeats its own reads after this error: the connection was lost, or the primary has changed. */
export function isWorthReadingAgain(error: unknown): boolean {
  const { MongoNetworkError, MongoServerError } = mongoose.mongo;
  if (error instanceof MongoNetworkError) return true;
  return error instanceof MongoServerError && isStoreTrouble(error) && !isStatementTimeout(error);
}
