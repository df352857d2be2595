import { linesOf } from './table.js';

describe('the output of a command', () => {
  const rows = [
    { coach: 'carla', live: 12, until: null },
    { coach: 'bo', live: 3, until: 'soon' },
  ];

  it('is a table', () => {
    expect(linesOf(rows, { json: false, empty: 'Nothing.' })).toEqual([
      'coach  live  until',
      'carla  12    -',
      'bo     3     soon',
    ]);
  });

  // Rule: PEOPLE-43
  it('has columns in which users’ texts move nothing', () => {
    const hostile = [
      { name: 'a\u202eb', count: 1 },
      { name: 'c', count: 2 },
    ];
    expect(linesOf(hostile, { json: false, empty: 'Nothing.' })).toEqual([
      'name      count',
      String.raw`a\u202eb  1`,
      'c         2',
    ]);
  });

  it('is a line of JSON for each row', () => {
    expect(linesOf(rows, { json: true, empty: 'Nothing.' }).map((line) => JSON.parse(line))).toEqual(rows);
  });

  it('says that there is nothing, but to no program', () => {
    expect(linesOf([], { json: false, empty: 'Nothing.' })).toEqual(['Nothing.']);
    expect(linesOf([], { json: true, empty: 'Nothing.' })).toEqual([]);
  });
});
