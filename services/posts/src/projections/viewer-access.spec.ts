import { type ViewerAccess, accessTo, requireOpen } from './viewer-access.js';

const NOW = 1_000;

function aViewer(relations: Partial<ViewerAccess> = {}): ViewerAccess {
  return {
    viewerId: 'viewer',
    blocked: new Set(),
    blockedBy: new Set(),
    subscribedUntil: new Map(),
    ...relations,
  };
}

const publicPost = { authorId: 'author', visibility: 'public' } as const;
const paidPost = { authorId: 'author', visibility: 'subscribers' } as const;

// Rule: POST-6
describe('accessTo', () => {
  it.each([
    ['a visitor', null, 'open', 'locked'],
    ['a stranger', aViewer(), 'open', 'locked'],
    ['the author', aViewer({ viewerId: 'author' }), 'open', 'open'],
    ['a subscriber', aViewer({ subscribedUntil: new Map([['author', Infinity]]) }), 'open', 'open'],
    [
      'one whose access ends later',
      aViewer({ subscribedUntil: new Map([['author', NOW + 1]]) }),
      'open',
      'open',
    ],
    [
      'one whose access has just ended',
      aViewer({ subscribedUntil: new Map([['author', NOW]]) }),
      'open',
      'locked',
    ],
    ['another’s subscriber', aViewer({ subscribedUntil: new Map([['other', Infinity]]) }), 'open', 'locked'],
    ['who blocked the author', aViewer({ blocked: new Set(['author']) }), 'hidden', 'hidden'],
    ['whom the author blocked', aViewer({ blockedBy: new Set(['author']) }), 'hidden', 'hidden'],
    [
      'a blocked subscriber',
      aViewer({ blockedBy: new Set(['author']), subscribedUntil: new Map([['author', Infinity]]) }),
      'hidden',
      'hidden',
    ],
  ] as const)('for %s', (_, viewer, toPublic, toPaid) => {
    expect(accessTo(publicPost, viewer, NOW, false)).toBe(toPublic);
    expect(accessTo(paidPost, viewer, NOW, false)).toBe(toPaid);
  });
});

describe('accessTo a post hidden by a moderator', () => {
  it.each([
    ['a visitor', null, 'hidden'],
    ['a subscriber', aViewer({ subscribedUntil: new Map([['author', Infinity]]) }), 'hidden'],
    ['the author', aViewer({ viewerId: 'author' }), 'open'],
  ] as const)('for %s', (_, viewer, access) => {
    expect(accessTo(publicPost, viewer, NOW, true)).toBe(access);
    expect(accessTo(paidPost, viewer, NOW, true)).toBe(access);
  });
});

// Rule: POST-7
describe('requireOpen', () => {
  it('reports a hidden post as missing, and a locked one as requiring a subscription', () => {
    expect(() => requireOpen('hidden')).toThrow(expect.objectContaining({ kind: 'not-found' }));
    expect(() => requireOpen('locked')).toThrow(
      expect.objectContaining({ kind: 'permission-denied', code: 'subscription-required' }),
    );
    expect(() => requireOpen('open')).not.toThrow();
  });
});
