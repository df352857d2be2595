import mongoose from 'mongoose';
import { QueryRunnerAlreadyReleasedError } from 'typeorm';
import { ObjectStoreError } from '../objects/object-store.js';
import { unavailable } from './domain-error.js';
import { isStatementTimeout, isStoreTrouble } from './store-trouble.js';

const coded = (code: string | number) => Object.assign(new Error('failed'), { code });
const mongo = (code: number, errorLabels: string[] = []) =>
  new mongoose.mongo.MongoServerError({ message: 'failed', code, errorLabels });
const named = (name: string) => Object.assign(new Error('failed'), { name });

describe('isStoreTrouble', () => {
  it.each([
    ['a refused connection', coded('ECONNREFUSED')],
    ['a lost connection', coded('08006')],
    ['PostgreSQL out of connections', coded('53300')],
    ['PostgreSQL shutting down', coded('57P01')],
    ['a statement that took too long', coded('57014')],
    ['a statement of MongoDB that took too long', coded(50)],
    ['a lock that is not available', coded('55P03')],
    ['a database that accepts no connections', coded('55000')],
    ['a failing disk', coded('58030')],
    ['a deadlock', coded('40P01')],
    ['a read-only replica', coded('25006')],
    ['a connection that the driver gave up', new Error('Connection terminated unexpectedly')],
    ['a connection that did not answer in time', coded('ETIMEDOUT')],
    ['a transaction that waited for too long', coded('25P03')],
    ['a connection lost within a transaction', new QueryRunnerAlreadyReleasedError()],
    ['an exhausted pool', new Error('timeout exceeded when trying to connect')],
    ['a lost MongoDB', named('MongoNetworkTimeoutError')],
    ['a MongoDB that missed a heartbeat', named('PoolClearedOnNetworkError')],
    ['an exhausted pool of MongoDB', named('MongoWaitQueueTimeoutError')],
    ['a MongoDB client that was closed', named('MongoClientClosedError')],
    ['an object store that is away', new ObjectStoreError('the bucket cannot be used')],
    ['no MongoDB to select', named('MongooseServerSelectionError')],
  ])('holds for %s', (_, error) => {
    expect(isStoreTrouble(error)).toBe(true);
  });

  it.each([
    ...[6, 7, 24, 43, 64, 89, 91, 112, 133, 134, 189, 202, 216, 262],
    ...[9001, 10107, 11600, 11602, 13435, 13436, 14031],
  ])('holds for the error %i of MongoDB, and only of MongoDB', (code) => {
    expect([isStoreTrouble(mongo(code)), isStoreTrouble(coded(code))]).toEqual([true, false]);
    expect(isStatementTimeout(mongo(code))).toBe(false);
  });

  it.each(['RetryableWriteError', 'RetryableError', 'ResetPool', 'TransientTransactionError'])(
    'holds for errors with the MongoDB label %s',
    (label) => {
      expect(isStoreTrouble(mongo(8000, [label]))).toBe(true);
    },
  );

  it.each([
    ['a mistake', new TypeError('x is not a function')],
    ['a syntax error', coded('42601')],
    ['a database that was dropped', coded('57P04')],
    ['a constraint', coded('23505')],
    ['a duplicate in MongoDB', mongo(11000)],
    ['a write with another label of MongoDB', mongo(8000, ['NoWritesPerformed'])],
    ['a bad command to MongoDB', mongo(9)],
    ["gRPC's PERMISSION_DENIED", coded(7)],
    [
      "another component's error with the same message",
      Object.assign(new Error('Connection terminated'), { code: 'P0001' }),
    ],
    ['a DomainError', unavailable()],
    ['a value that is not an error', 'ECONNREFUSED'],
  ])('does not for %s', (_, error) => {
    expect(isStoreTrouble(error)).toBe(false);
  });
});

describe('isStatementTimeout', () => {
  it.each([
    [coded('57014'), true],
    [coded(50), true],
    [coded('57P01'), false],
    [coded('50'), false],
    [Object.assign({}, { code: 50 }), false],
  ])('of %p is %s', (error, answer) => {
    expect(isStatementTimeout(error)).toBe(answer);
  });
});
