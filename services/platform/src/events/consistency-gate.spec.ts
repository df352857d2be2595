import { consistencyGate, waitForTokens } from './consistency-gate.js';
import type { ReadModel } from './projection.js';

const token = (key: string, version = 1) => ({ topic: 'users', key, version });

const gateOver = (versionOf: ReadModel['versionOf']) =>
  consistencyGate([{ topic: { name: 'users' } as ReadModel['topic'], versionOf }]);

describe('waitForTokens', () => {
  it('does not wait for states that are projected already or topics that are not projected', async () => {
    const gate = gateOver(async (key) => (key === 'ada' ? 5 : undefined));
    const foreign = { topic: 'posts', key: 'p', version: 1 };
    expect(await waitForTokens(gate, [token('ada', 5), token('ada', 4), foreign], { timeoutMs: 0 })).toBe(
      true,
    );
    expect(await waitForTokens(gate, [], { timeoutMs: 0 })).toBe(true);
    expect(gate.projects('toString')).toBe(false);
  });

  it('waits until the projection has caught up', async () => {
    const seen = new Map([['ada', 1]]);
    const looks: string[] = [];
    const gate = gateOver(async (key) => {
      looks.push(key);
      // The projection catches up while the wait goes on.
      if (looks.length === 5) seen.set('ada', 7);
      return seen.get(key);
    });
    expect(await waitForTokens(gate, [token('ada', 1), token('ada', 7)], { timeoutMs: 60_000 })).toBe(true);
    // A version that was seen once is not read again.
    expect(looks).toHaveLength(5);
    expect(await waitForTokens(gate, [token('ada', 6)], { timeoutMs: 0 })).toBe(true);
    expect(looks).toHaveLength(5);
  });

  it('resolves to false after the timeout', async () => {
    const gate = gateOver(async () => undefined);
    expect(await waitForTokens(gate, [token('ada')], { timeoutMs: 20 })).toBe(false);
    expect(await waitForTokens(gate, [token('ada')], { timeoutMs: 0 })).toBe(false);
  });

  it('resolves to false when the signal aborts', async () => {
    const aborter = new AbortController();
    let looks = 0;
    const gate = gateOver(async () => {
      looks += 1;
      if (looks === 2) aborter.abort();
      return undefined;
    });
    expect(await waitForTokens(gate, [token('ada')], { timeoutMs: 60_000, signal: aborter.signal })).toBe(
      false,
    );
    expect(looks).toBe(2);
  });

  it('rejects when the projection cannot be read', async () => {
    const gate = gateOver(() => Promise.reject(new Error('the store is down')));
    await expect(waitForTokens(gate, [token('ada')], { timeoutMs: 0 })).rejects.toThrow('the store is down');
  });
});
