import { DomainError } from '../errors/domain-error.js';
import { createCursorSealer } from './sealed-cursor.js';

const sealer = createCursorSealer({ secrets: [{ kid: 'k1', secret: 'first secret' }] });
const place = { asOf: 1_767_225_600_000, last: [5000.25, 'ñ💪', null, true] };
const invalid = expect.objectContaining({ kind: 'invalid-argument', code: 'invalid-cursor' });

function opening(list: string, viewerId: string | null, cursor: string): unknown {
  try {
    return sealer.open(list, viewerId, cursor);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

// Rule: HTTP-6
describe('sealed cursors', () => {
  it('return the sealed value, for members and visitors', () => {
    expect(sealer.open('feed', 'ada', sealer.seal('feed', 'ada', place))).toEqual(place);
    expect(sealer.open('posts:1', null, sealer.seal('posts:1', null, place))).toEqual(place);
  });

  it('need no escaping in a query string', () => {
    const cursor = sealer.seal('feed', 'ada', place);
    expect(encodeURIComponent(cursor)).toBe(cursor);
  });

  it('are bound to the list and the viewer', () => {
    const cursor = sealer.seal('feed', 'ada', place);
    expect(opening('comments', 'ada', cursor)).toEqual(invalid);
    expect(opening('feed', 'bob', cursor)).toEqual(invalid);
    expect(opening('feed', null, cursor)).toEqual(invalid);
    expect(opening('feed', 'null', sealer.seal('feed', null, place))).toEqual(invalid);
    expect(opening('feed","ada', 'x', sealer.seal('feed', 'ada","x', place))).toEqual(invalid);
  });

  it('are refused with any character changed, added or taken away', () => {
    const cursor = sealer.seal('feed', 'ada', place);
    for (let index = 0; index < cursor.length; index += 1) {
      for (const other of ['A', 'B', '.', '=', '']) {
        if (cursor[index] === other) continue;
        const changed = cursor.slice(0, index) + other + cursor.slice(index + 1);
        expect(opening('feed', 'ada', changed)).toEqual(invalid);
      }
    }
    for (const changed of [`${cursor}A`, `${cursor}.`, ` ${cursor}`, `${cursor}=`]) {
      expect(opening('feed', 'ada', changed)).toEqual(invalid);
    }
  });

  it.each(['', '.', '..', 'k1..', 'nonsense', 'k1.e30.AAAA', '💥', 'k1.' + 'a'.repeat(100_000)])(
    'are refused as %.20j',
    (cursor) => {
      expect(opening('feed', 'ada', cursor)).toEqual(invalid);
    },
  );

  it('open with an older secret until it is removed', () => {
    const secrets = [
      { kid: 'k2', secret: 'second secret' },
      { kid: 'k1', secret: 'first secret' },
    ];
    const cursor = sealer.seal('feed', 'ada', place);
    const rotated = createCursorSealer({ secrets });
    expect(rotated.open('feed', 'ada', cursor)).toEqual(place);
    expect(rotated.seal('feed', 'ada', place)).toMatch(/^k2\./);
    const retired = createCursorSealer({ secrets: secrets.slice(0, 1) });
    expect(() => retired.open('feed', 'ada', cursor)).toThrow(DomainError);
  });

  it('need a secret with a plain kid', () => {
    expect(() => createCursorSealer({ secrets: [] })).toThrow('at least one secret');
    expect(() => createCursorSealer({ secrets: [{ kid: 'a.b', secret: 's' }] })).toThrow('kid');
  });
});
