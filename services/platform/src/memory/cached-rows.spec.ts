import type { ConsistencyToken } from '../context/request-context.js';
import { InProcessSignals } from '../signals/in-process-signals.js';
import { type SignalListener, Signals } from '../signals/signals.js';
import { inContext } from '../../testing/context.js';
import { until } from '../../testing/until.js';
import { CachedRows } from './cached-rows.js';

interface Row {
  id: string;
  name: string;
}

/** Signals that a test loses. */
class LosableSignals extends Signals {
  readonly listeners: SignalListener[] = [];
  override send(): void {}
  override listen(listener: SignalListener): () => void {
    this.listeners.push(listener);
    return () => undefined;
  }
}

/** The table that all replicas share. */
let table: Map<string, Row>;
let reads: number;
let now: number;
let signals: InProcessSignals;
let rows: CachedRows;

const aReplica = (of: Signals = signals) =>
  new CachedRows({
    name: 'test',
    signals: of,
    rowsOf: ({ topic, key }) => (topic === 'users' ? [key] : []),
    clock: { elapsed: () => now },
    most: 100,
  });

beforeEach(() => {
  table = new Map(['ana', 'ben'].map((id) => [id, { id, name: id }]));
  reads = 0;
  now = 1_000;
  signals = new InProcessSignals();
  rows = aReplica();
});

const load = async (id: string) => {
  reads += 1;
  return table.get(id);
};
const nameOf = async (id: string, by = rows) =>
  (
    await by.read(
      id,
      (row) => [row.id],
      () => load(id),
    )
  )?.name;
const rename = (id: string, name: string) => void table.set(id, { id, name });

const requestAfter = <T>(after: ConsistencyToken[], work: () => T, stale = false) =>
  inContext(null, work, { after, stale });
const token = (version: number, key = 'ana', topic = 'users') => ({ topic, key, version });

const nothing = () => Promise.resolve(new Map<string, Row>());

describe('CachedRows', () => {
  it('reads a row once for many requests', async () => {
    await nameOf('ana');
    rename('ana', 'Ana');
    expect(await nameOf('ana')).toBe('ana');
    expect(reads).toBe(1);
  });

  it('does not keep what was not found, or is not to be kept', async () => {
    expect(await nameOf('nobody')).toBeUndefined();
    rename('nobody', 'somebody');
    expect(await nameOf('nobody')).toBe('somebody');
    const read = () =>
      rows.read(
        'a',
        () => undefined,
        () => load('ana'),
      );
    await read();
    await read();
    expect(reads).toBe(4);
  });

  it('reads many at once, without those that it keeps, each once', async () => {
    const asked: (readonly string[])[] = [];
    const many = (ids: string[], after: ConsistencyToken[] = [], stale = false) =>
      requestAfter(
        after,
        () =>
          rows.readMany<Row>(ids, {
            nameOf: (id) => `many ${id}`,
            rowsOf: (id) => [id],
            load: async (missing) => {
              asked.push(missing);
              return new Map(missing.flatMap((id) => (table.has(id) ? [[id, table.get(id)!] as const] : [])));
            },
          }),
        stale,
      );
    expect([...(await many(['ana', 'nobody', 'ana'])).keys()]).toEqual(['ana']);
    expect([...(await many(['ben', 'ana'])).keys()].toSorted()).toEqual(['ana', 'ben']);
    await many(['ana', 'ben']);
    rename('ana', 'Ana');
    rows.changed('ana');
    expect((await many(['ana', 'ben'])).get('ana')?.name).toBe('Ana');
    await many(['ana', 'ben'], [token(2, 'ben')]);
    await many(['ana', 'ben'], [token(3, 'ben')], true);
    expect(asked).toEqual([['ana', 'nobody'], ['ben'], ['ana'], ['ben'], ['ana', 'ben']]);
    expect(
      await rows.readMany(['ana'], { nameOf: (id) => `many ${id}`, rowsOf: (id) => [id], load: nothing }),
    ).toEqual(new Map([['ana', { id: 'ana', name: 'Ana' }]]));
  });

  it('drops what a commit of this process has changed, and keeps what is read after it for its writer', async () => {
    let commit: (written: ConsistencyToken) => void = () => undefined;
    const replica = new CachedRows({
      name: 'test',
      signals,
      rowsOf: ({ topic, key }) => (topic === 'users' ? [key, `${key}’s lists`] : []),
      clock: { elapsed: () => now },
      commits: { onCommit: (listener) => (commit = listener) },
    });
    const lists = () =>
      replica.read(
        'lists',
        () => ['ana’s lists'],
        () => load('ana'),
      );
    await nameOf('ana', replica);
    await lists();
    commit(token(2, 'ana', 'others'));
    await nameOf('ana', replica);
    expect(reads).toBe(2);
    rename('ana', 'Ana');
    commit(token(2));
    expect([await nameOf('ana', replica), (await lists())?.name, reads]).toEqual(['Ana', 'Ana', 4]);
    await requestAfter([token(2)], () => nameOf('ana', replica));
    expect(reads).toBe(4);
    await until(async () => (await nameOf('ana')) === 'Ana', {
      what: 'the other replica’s hearing of the commit',
    });
  });

  it('forgets all without telling other replicas', async () => {
    const other = aReplica();
    await nameOf('ana', other);
    await nameOf('ana');
    rows.forgetAll();
    await nameOf('ana');
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    await nameOf('ana', other);
    expect(reads).toBe(3);
  });

  it('keeps nothing of a reading that fails', async () => {
    const failing = rows.read(
      'ana',
      () => ['ana'],
      () => Promise.reject(new Error('no store')),
    );
    await expect(failing).rejects.toThrow('no store');
    expect(await nameOf('ana')).toBe('ana');
  });

  it('drops what this process has changed, and nothing else', async () => {
    await nameOf('ana');
    await nameOf('ben');
    rename('ana', 'Ana');
    rows.changed('ana');
    expect([await nameOf('ana'), await nameOf('ben'), reads]).toEqual(['Ana', 'ben', 3]);
    await nameOf('ana');
    expect(reads).toBe(3);
  });

  it('drops an answer when any of its rows changes', async () => {
    const both = () =>
      rows.read(
        'both',
        () => ['ana', 'ben'],
        () => load('ana'),
      );
    await both();
    rows.changed('ben');
    await both();
    expect(reads).toBe(2);
  });

  it('drops what another replica has changed once its signal comes', async () => {
    const other = aReplica();
    await nameOf('ana');
    await nameOf('ben');
    rename('ana', 'Ana');
    other.changed('ana');
    await until(async () => (await nameOf('ana')) === 'Ana', { what: 'the signal of the other replica' });
    await nameOf('ben');
    expect(reads).toBe(3);
    other.allChanged();
    await until(async () => (await nameOf('ben')) === 'ben' && reads > 3, { what: 'the signal about all' });
  });

  it('is not told of its own changes by their signals', async () => {
    rows.changed('ana');
    await nameOf('ana');
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    await nameOf('ana');
    expect(reads).toBe(1);
  });

  it('drops what is older than the caller’s own write, once', async () => {
    await nameOf('ana');
    await nameOf('ben');
    rename('ana', 'Ana');
    expect(await nameOf('ana')).toBe('ana');
    expect(await requestAfter([token(2)], () => nameOf('ana'))).toBe('Ana');
    expect(await requestAfter([token(2), token(1)], () => nameOf('ana'))).toBe('Ana');
    await requestAfter([token(2, 'ben', 'others')], () => nameOf('ben'));
    expect(reads).toBe(3);
    rename('ana', 'Ana B');
    expect(await requestAfter([token(3)], () => nameOf('ana'))).toBe('Ana B');
  });

  it('keeps nothing for a caller whose writes have not arrived yet', async () => {
    await nameOf('ana');
    expect(await requestAfter([token(2)], () => nameOf('ana'), true)).toBe('ana');
    rename('ana', 'Ana');
    expect(await requestAfter([token(2)], () => nameOf('ana'))).toBe('Ana');
  });

  it('keeps an answer for 1 s, from before it was read', async () => {
    await rows.read(
      'ana',
      () => ['ana'],
      () => {
        now += 500;
        return load('ana');
      },
    );
    now += 499;
    await nameOf('ana');
    expect(reads).toBe(1);
    now += 1;
    await nameOf('ana');
    expect(reads).toBe(2);
  });

  it('keeps nothing while signals are lost, and nothing from before', async () => {
    const losable = new LosableSignals();
    const replica = aReplica(losable);
    const [listener] = losable.listeners;
    await nameOf('ana', replica);
    await nameOf('ana', replica);
    expect(reads).toBe(2);
    listener!.resumed!();
    await nameOf('ana', replica);
    await nameOf('ana', replica);
    expect(reads).toBe(3);
    listener!.lost!();
    rename('ana', 'Ana');
    expect(await nameOf('ana', replica)).toBe('Ana');
    listener!.resumed!();
    expect(await nameOf('ana', replica)).toBe('Ana');
    expect(reads).toBe(5);
    // Some were lost that nobody has told of.
    listener!.resumed!();
    await nameOf('ana', replica);
    expect(reads).toBe(6);
    replica.close();
    await nameOf('ana', replica);
    expect(reads).toBe(7);
  });

  it.each([
    ['this process', () => rows.changed('ana')],
    ['a token', () => void requestAfter([token(2)], () => nameOf('ben'))],
    ['all rows', () => rows.allChanged()],
  ])('does not use a reading that began before a change: %s', async (_by, change) => {
    let answer: (row: Row) => void = () => undefined;
    const slow = rows.read(
      'ana',
      () => ['ana'],
      () => new Promise<Row>((resolve) => (answer = resolve)),
    );
    const before = table.get('ana')!;
    rename('ana', 'Ana');
    change();
    answer(before);
    expect((await slow)?.name).toBe('ana');
    expect(await nameOf('ana')).toBe('Ana');
  });

  it('does not put an older reading in the place of a newer one for good', async () => {
    let answer: (row: Row) => void = () => undefined;
    const slow = rows.read(
      'ana',
      () => ['ana'],
      () => new Promise<Row>((resolve) => (answer = resolve)),
    );
    const before = table.get('ana')!;
    rename('ana', 'Ana');
    rows.changed('ana');
    expect(await nameOf('ana')).toBe('Ana');
    answer(before);
    await slow;
    expect(await nameOf('ana')).toBe('Ana');
  });

  it('drops everything older than a change that it has forgotten', async () => {
    await nameOf('ana');
    rename('ana', 'Ana');
    rows.changed('ana');
    for (let other = 0; other < 20_001; other += 1) rows.changed(`other ${other}`);
    expect(await nameOf('ana')).toBe('Ana');
  });
});
