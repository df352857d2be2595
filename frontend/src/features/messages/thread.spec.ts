import { describe, expect, it } from '@jest/globals';
import { aMessage } from '../../../test/a-conversation.js';
import { EMPTY_THREAD, withMessage, withNewest, withOlder, withRead } from './thread.js';
import type { Thread } from './thread.js';

const at = (minute: number) => `2026-11-23T10:${String(minute).padStart(2, '0')}:00.000Z`;
const m = (minute: number, over = {}) => aMessage({ id: `m${minute}`, createdAt: at(minute), ...over });
const ids = ({ chunks }: Thread) => chunks.map((chunk) => chunk.map(({ id }) => id));

// Rule: MSG-7
describe('a thread', () => {
  it('puts older pages before the newest one, each message once', () => {
    const newest = withNewest(undefined, { items: [m(3), m(4)], nextCursor: 'older' });
    const all = withOlder(newest, { items: [m(1), m(2), m(3)], nextCursor: null });
    expect(ids(all)).toEqual([
      ['m1', 'm2'],
      ['m3', 'm4'],
    ]);
    expect(all.olderCursor).toBeNull();
  });

  it('takes a message that arrives twice once, and one that arrives late in its order', () => {
    const thread = withMessage(withMessage(withMessage(EMPTY_THREAD, m(1)), m(3)), m(2));
    expect(ids(withMessage(thread, m(3)))).toEqual([['m1', 'm2', 'm3']]);
  });

  // Rule: NOTIF-8
  it('read again keeps what was loaded before, and takes what changed and what is new', () => {
    const before = withOlder(withNewest(undefined, { items: [m(3)], nextCursor: 'c' }), {
      items: [m(1)],
      nextCursor: 'd',
    });
    const after = withNewest(before, { items: [m(3, { read: true }), m(4)], nextCursor: 'x' });
    expect(ids(after)).toEqual([['m1'], ['m3', 'm4']]);
    expect(after.chunks[1]?.[0]?.read).toBe(true);
    expect(after.olderCursor).toBe('d');
    expect(after.chunks[0]).toBe(before.chunks[0]);
  });

  it('read again after a gap longer than a page begins anew: nothing is left out between two messages', () => {
    const before = withNewest(undefined, { items: [m(1), m(2)], nextCursor: null });
    const after = withNewest(before, { items: [m(8), m(9)], nextCursor: 'older' });
    expect(ids(after)).toEqual([['m8', 'm9']]);
    expect(after.olderCursor).toBe('older');
  });
});

// Rule: MSG-6
it('marks what the viewer received up to a message, and nothing after it or sent by the viewer', () => {
  const items = [m(1), m(2, { senderId: 'ben', receiverId: 'ana' }), m(3), m(4)];
  const marked = withRead(withNewest(undefined, { items, nextCursor: null }), 'ben', m(3));
  expect(marked.chunks[0]?.map(({ read }) => read)).toEqual([true, false, true, false]);
});
