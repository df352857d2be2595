import { CursorRegistry, readyDocuments } from './cursor.registry.js';

const MINUTE = 60_000;

function startRegistry() {
  let now = 0;
  const cursors = new CursorRegistry(() => now);
  return {
    cursors,
    pass: (ms: number) => (now += ms),
    open: () => cursors.register('db.rows', readyDocuments([Buffer.alloc(5)])),
  };
}

test('idle cursors are dropped, also those after an old one that is in use', () => {
  const { cursors, pass, open } = startRegistry();
  const busy = open();
  const idle = Array.from({ length: 9_999 }, open);
  for (let minutes = 0; minutes < 12; minutes++) {
    pass(MINUTE);
    cursors.resume(busy, 'db.rows');
  }
  // This throws unless the idle cursors have been dropped.
  open();
  expect(cursors.resume(busy, 'db.rows').isDone).toBe(false);
  for (const id of [idle[0]!, idle.at(-1)!]) {
    expect(() => cursors.resume(id, 'db.rows')).toThrow(expect.objectContaining({ code: 43 }));
  }
});

test('no more than 10,000 cursors are open at a time', () => {
  const { open } = startRegistry();
  for (let count = 0; count < 10_000; count++) open();
  expect(open).toThrow(expect.objectContaining({ code: 2 }));
});

test('a cursor belongs to its collection', () => {
  const { cursors, open } = startRegistry();
  const id = open();
  expect(() => cursors.resume(id, 'db.other')).toThrow(expect.objectContaining({ code: 43 }));
  expect(cursors.close(id, 'db.other')).toBe(false);
  expect(cursors.close(id, 'db.rows')).toBe(true);
});
