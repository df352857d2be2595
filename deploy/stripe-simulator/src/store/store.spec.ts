import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { Store } from './store.js';

interface Thing {
  id: string;
  due: number | null;
}
interface Kinds {
  thing: Thing;
}

function aFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pulso-simulator-'));
  onTestEnd(() => rmSync(folder, { recursive: true }));
  return join(folder, 'data.jsonl');
}

function open(file?: string): Store<Kinds> {
  const store = new Store<Kinds>((_, { due }) => due, file);
  onTestEnd(() => store.close());
  return store;
}

const ids = (store: Store<Kinds>) => store.all('thing').map(({ id }) => id);

describe('the store', () => {
  it('keeps what was committed, in its order, and drops a line that was not finished', () => {
    const file = aFile();
    const first = open(file);
    for (const id of ['a', 'b', 'c']) first.put('thing', id === 'b' ? 'acct_1' : null, { id, due: null });
    first.commit();
    first.put('thing', null, { id: 'a', due: 7 });
    first.remove('thing', 'c');
    first.commit();
    first.put('thing', null, { id: 'never', due: null });
    appendFileSync(file, '[["thing","torn",null,{"id":"to');

    const second = open(file);
    expect(ids(second)).toEqual(['a', 'b']);
    expect(second.find('thing', 'b')).toEqual({ account: 'acct_1', value: { id: 'b', due: null } });
    expect(second.takeDue(7)).toMatchObject({ id: 'a', at: 7 });
    second.put('thing', null, { id: 'd', due: null });
    second.commit();
    expect(ids(open(file))).toEqual(['a', 'b', 'd']);
  });

  it('refuses a file that is damaged elsewhere', () => {
    const file = aFile();
    appendFileSync(file, 'no JSON\n[]\n');
    expect(() => open(file)).toThrow('line 1 is damaged');
  });

  it('writes its file anew at each start, without what was replaced', () => {
    const file = aFile();
    const first = open(file);
    for (let due = 1; due <= 100; due++) {
      first.put('thing', null, { id: 'a', due });
      first.commit();
    }
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(101);
    open(file);
    expect(readFileSync(file, 'utf8')).toBe('[["thing","a",null,{"id":"a","due":100}]]\n');
  });

  it('puts back what a failed request has changed', () => {
    const store = open();
    store.put('thing', null, { id: 'a', due: 5 });
    store.commit();
    store.put('thing', null, { id: 'a', due: null });
    store.put('thing', null, { id: 'b', due: null });
    store.remove('thing', 'a');
    store.rollback();
    expect(store.all('thing')).toEqual([{ id: 'a', due: 5 }]);
    expect(store.takeDue(4)).toBeUndefined();
    expect(store.takeDue(5)).toMatchObject({ id: 'a' });
  });
});
