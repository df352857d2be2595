import { readTraceparent } from './traceparent.js';

const [TRACE, SPAN] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
const OURS = `00-${TRACE}-${SPAN}-01`;

describe('readTraceparent', () => {
  it.each([
    ['of version 00', OURS],
    ['of a later version', `01-${TRACE}-${SPAN}-01`],
    ['of a later version with more fields', `cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`],
  ])('reads one %s', (_, header) => {
    expect(readTraceparent(header)).toBe(OURS);
  });

  it.each([
    ['that is missing', undefined],
    ['that is malformed', 'nonsense'],
    ['of version 00 with more fields', `${OURS}-more`],
    ['of a later version that continues without a dash', `01-${TRACE}-${SPAN}-01.more`],
    ['of version ff', `ff-${TRACE}-${SPAN}-01`],
    ['in capitals', OURS.toUpperCase()],
    ['without a trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['without a span', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['that was sent twice', `${OURS}, ${OURS}`],
  ])('refuses one %s', (_, header) => {
    expect(readTraceparent(header)).toBeUndefined();
  });
});
