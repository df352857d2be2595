import { status } from '@grpc/grpc-js';
import { RpcStatusError, toDomainError, toStatusError } from './rpc-status.js';
import { DomainError } from '../errors/domain-error.js';

const foreign = (code: status) => toDomainError(new RpcStatusError(code, 'text of a proxy')).kind;

describe('rpc statuses', () => {
  it.each([
    [status.UNAVAILABLE, 'unavailable'],
    [status.UNIMPLEMENTED, 'unavailable'],
    [status.INTERNAL, 'unavailable'],
    [status.DEADLINE_EXCEEDED, 'deadline-exceeded'],
    [status.RESOURCE_EXHAUSTED, 'payload-too-large'],
    [status.UNKNOWN, 'internal'],
  ])('from the transport itself: %d is %s', (code, kind) => {
    expect(foreign(code)).toBe(kind);
  });

  it('from elsewhere never pass for a decision of the service', () => {
    const codes = Object.values(status).filter((code) => typeof code === 'number');
    const kinds = new Set(codes.map((code) => foreign(code)));
    expect([...kinds].sort()).toEqual(['deadline-exceeded', 'internal', 'payload-too-large', 'unavailable']);
  });

  it('carry the whole error there and back', () => {
    const error = new DomainError('too-many-requests', 'slow-down', 'Más despacio', { retryAfter: 7 });
    const sent = toStatusError(error, { 'pulso-wrote-bin': '[]' });
    expect(sent.code).toBe(status.RESOURCE_EXHAUSTED);
    expect(sent.metadata['pulso-wrote-bin']).toBe('[]');
    expect(toDomainError(sent)).toEqual(error);
    expect(toDomainError(sent)).toMatchObject({
      kind: 'too-many-requests',
      code: 'slow-down',
      details: { retryAfter: 7 },
    });
  });
});
