import { CONNECT_CODES, type ConnectCode } from '../errors/connect-code.js';
import { RpcStatusError, toDomainError, toStatusError } from './rpc-status.js';
import { ERROR } from './wire-metadata.js';
import { DomainError } from '../errors/domain-error.js';

const foreign = (code: ConnectCode) => toDomainError(new RpcStatusError(code, 'text of a proxy')).kind;

describe('rpc statuses', () => {
  it.each<[ConnectCode, string]>([
    ['unavailable', 'unavailable'],
    ['unimplemented', 'unavailable'],
    ['internal', 'unavailable'],
    ['deadline_exceeded', 'deadline-exceeded'],
    ['resource_exhausted', 'payload-too-large'],
    ['unknown', 'internal'],
  ])('from the transport itself: %s is %s', (code, kind) => {
    expect(foreign(code)).toBe(kind);
  });

  it('from elsewhere are never taken for a decision of the service', () => {
    const kinds = new Set(CONNECT_CODES.map((code) => foreign(code)));
    expect([...kinds].sort()).toEqual(['deadline-exceeded', 'internal', 'payload-too-large', 'unavailable']);
  });

  it('carry the whole error', () => {
    const error = new DomainError('too-many-requests', 'Más despacio', { retryAfter: 7 });
    const sent = toStatusError(error, { 'pulso-wrote-bin': '[]' });
    expect(sent.code).toBe('resource_exhausted');
    expect(sent.metadata['pulso-wrote-bin']).toBe('[]');
    expect(toDomainError(sent)).toEqual(error);
    expect(toDomainError(sent)).toMatchObject({
      kind: 'too-many-requests',
      code: 'too-many-requests',
      details: { retryAfter: 7 },
    });
  });

  const fromAnotherBuild = (kind: string, code: string) => {
    const text = JSON.stringify({ kind, code, message: 'Said by another build', details: {} });
    return toDomainError(new RpcStatusError('unknown', '', { [ERROR]: text }));
  };

  it.each([
    ['conflict', 'made-up-later', 'conflict'],
    ['unprocessable', 'made-up-later', 'unprocessable'],
    ['permission-denied', 'made-up-later', 'permission-denied'],
    ['unprocessable', 'username-taken', 'unprocessable'],
    ['conflict', 'toString', 'conflict'],
  ])('of a newer build keep kind and message: %s %s is %s', (kind, code, known) => {
    expect(fromAnotherBuild(kind, code)).toMatchObject({
      kind,
      code: known,
      message: 'Said by another build',
    });
  });

  it('of a kind that this build does not know are internal errors', () => {
    expect(() => fromAnotherBuild('teapot', 'not-found')).toThrow();
  });
});
