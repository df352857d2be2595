import { isStray, judge, type ProjectedRow } from './projected-row.js';

const [EARLIER, RUN, LATER] = ['run-1', 'run-2', 'run-3'];
const OPENED = new Date(1_000);
const [BEFORE, SINCE] = [new Date(999), new Date(1_000)];

const aRow = (row: Partial<ProjectedRow & { active: boolean }> = {}) => ({
  _id: 'a_b',
  version: 5,
  active: true,
  changedAt: BEFORE,
  ...row,
});

describe('judge', () => {
  const state = { version: 5, fields: { active: true }, run: RUN, openedAt: OPENED };

  it.each([
    ['that is the same', {}, 'confirm'],
    ['that is older', { version: 4 }, 'take'],
    ['of the same version and other content', { active: false }, 'take'],
    ['without a field', { active: undefined }, 'take'],
    ['with a field that is none of its', { stray: 1 }, 'take'],
    ['without a version', { version: undefined }, 'take'],
    ['that claims a newer version though it was written before', { version: 6 }, 'take'],
    [
      'that claims a newer version and says not when it was written',
      { version: 6, changedAt: undefined },
      'take',
    ],
    [
      'that is newer by an event of these moments',
      { version: 6, changedAt: SINCE, active: false },
      'confirm',
    ],
    ['of these moments that is older', { version: 4, changedAt: SINCE }, 'take'],
    ['that an earlier run has told of', { version: 6, confirmedBy: EARLIER }, 'take'],
    ['that this run has told of', { version: 6, confirmedBy: RUN }, 'update'],
    ['that a later run has told of', { version: 4, confirmedBy: LATER }, 'update'],
  ] as const)('a row %s', (_, row, verdict) => {
    expect(judge(aRow(row as object), state)).toBe(verdict);
  });

  it('compares times by value', () => {
    const until = { active: true, accessUntil: new Date(7) };
    const timed = { ...state, fields: until };
    expect(judge({ ...aRow(), accessUntil: new Date(7) } as ProjectedRow, timed)).toBe('confirm');
    expect(judge({ ...aRow(), accessUntil: new Date(8) } as ProjectedRow, timed)).toBe('take');
  });
});

describe('isStray', () => {
  it.each([
    ['nobody told of', {}, true],
    ['an earlier run told of', { confirmedBy: EARLIER }, true],
    ['this run told of', { confirmedBy: RUN }, false],
    ['a later run told of', { confirmedBy: LATER }, false],
    ['came by an event since', { changedAt: SINCE }, false],
    ['says not when it was written', { changedAt: undefined }, true],
  ] as const)('a row that %s', (_, row, stray) => {
    expect(isStray(aRow(row as object), { run: RUN, openedAt: OPENED })).toBe(stray);
  });
});
