import { REUSE_GRACE_MS, rotate } from './rotation.js';

const NOW = 1_000_000;

// Rule: ACCT-19
describe('rotate', () => {
  it('moves the family to the generation of a new token', () => {
    const token = { generation: 4, supersededAt: null };
    expect(rotate(token, { generation: 3 }, NOW)).toEqual({ generation: 4, supersedes: true, next: 5 });
  });

  it('gives a spent token whose successor is unused another successor', () => {
    const token = { generation: 4, supersededAt: null };
    expect(rotate(token, { generation: 4 }, NOW)).toEqual({ generation: 4, supersedes: false, next: 5 });
  });

  it('gives a superseded token, within its grace, a token of the newest generation', () => {
    const token = { generation: 2, supersededAt: NOW - REUSE_GRACE_MS };
    expect(rotate(token, { generation: 4 }, NOW)).toEqual({ generation: 4, supersedes: false, next: 5 });
  });

  it('reports reuse after that', () => {
    const token = { generation: 3, supersededAt: NOW - REUSE_GRACE_MS - 1 };
    expect(rotate(token, { generation: 4 }, NOW)).toBe('reuse');
  });
});
