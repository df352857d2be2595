import { idempotencyId } from './idempotency-key.js';

describe('idempotencyId', () => {
  const id = idempotencyId('caller', { scope: 'scope', key: 'key' });

  it('is the same for the same request', () => {
    expect(idempotencyId('caller', { scope: 'scope', key: 'key' })).toBe(id);
  });

  it.each([
    ['caller', idempotencyId('other', { scope: 'scope', key: 'key' })],
    ['scope', idempotencyId('caller', { scope: 'other', key: 'key' })],
    ['key', idempotencyId('caller', { scope: 'scope', key: 'other' })],
    ['framing', idempotencyId('caller', { scope: 'scopekey', key: '' })],
  ])('differs for another %s', (_, other) => {
    expect(other).not.toBe(id);
  });
});
