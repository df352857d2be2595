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
    ['with a field that does not belong to it', { stray: 1 }, 'take'],
    ['without a version', { version: undefined }, 'take'],
    ['with a newer version that was written before the run', { version: 6 }, 'take'],
    ['with a newer version and no time of writing', { version: 6, changedAt: undefined }, 'take'],
    ['that a recent event has made newer', { version: 6, changedAt: SINCE, active: false }, 'confirm'],
    ['that is recent but older', { version: 4, changedAt: SINCE }, 'take'],
    ['that an earlier run has included', { version: 6, confirmedBy: EARLIER }, 'take'],
    ['that this run has included', { version: 6, confirmedBy: RUN }, 'update'],
    ['that a later run has included', { version: 4, confirmedBy: LATER }, 'update'],
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
    ['no run has included', {}, true],
    ['an earlier run has included', { confirmedBy: EARLIER }, true],
    ['this run has included', { confirmedBy: RUN }, false],
    ['a later run has included', { confirmedBy: LATER }, false],
    ['a recent event has written', { changedAt: SINCE }, false],
    ['has no time of writing', { changedAt: undefined }, true],
  ] as const)('a row that %s', (_, row, stray) => {
    expect(isStray(aRow(row as object), { run: RUN, openedAt: OPENED })).toBe(stray);
  });
});
