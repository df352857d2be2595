import { jest } from '@jest/globals';
import { createLogger } from '@pulso/platform/logging/logger';
import { InProcessSignals } from '@pulso/platform/signals/in-process-signals';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import type { IdentityClient } from '../clients.js';
import { EndedSessions } from './ended-sessions.js';

const TIME = Date.UTC(2026, 4, 4);
const HOUR_MS = 3_600_000;
const PAGE = 3;

let clock: ManualClock;
/** Identity's list, and from where each page of it was asked for. */
let list: { id: string; endedAt: number }[];
let asked: { afterEndedAt: number; afterId: string }[];
let ended: EndedSessions;
/** When identity answers. */
let answered: Promise<void>;

const identity = {
  async listEndedSessions(position: { afterEndedAt: number; afterId: string }) {
    asked.push(position);
    await answered;
    const { afterEndedAt, afterId } = position;
    const rest = list
      .filter(({ id, endedAt }) => endedAt > afterEndedAt || (endedAt === afterEndedAt && id > afterId))
      .sort((a, b) => a.endedAt - b.endedAt || (a.id < b.id ? -1 : 1));
    return { sessions: rest.slice(0, PAGE), more: rest.length > PAGE };
  },
} as unknown as IdentityClient;

const start = async (keptMax?: number) => {
  ended = new EndedSessions({
    identity,
    clock,
    signals: new InProcessSignals(),
    keptMax,
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
  await ended.start();
  // Without the poll every reading is one that a test asks for.
  await ended.stop();
};
const end = (id: string, endedAt = clock.now()) => list.push({ id, endedAt });
const refused = (sessionId: string, issuedAt = clock.now()) => ended.refuses({ sessionId, issuedAt });

beforeEach(() => {
  clock = new ManualClock(TIME);
  list = [];
  asked = [];
  answered = Promise.resolve();
});

// Rule: ACCT-21
describe('ended sessions', () => {
  it('are read to the last page', async () => {
    const ids = Array.from({ length: 2 * PAGE + 1 }, (_, index) => `s-${index}`);
    for (const id of ids) end(id);
    await start();
    expect(ids.map((id) => refused(id))).toEqual(ids.map(() => true));
    expect([refused('s-99'), asked.length]).toEqual([false, 3]);
  });

  it('are then read from where the list has been read, and a little before', async () => {
    for (let index = 0; index <= PAGE; index += 1) end(`s-${index}`);
    await start();
    asked.length = 0;
    clock.advance(10 * 60_000);
    end('new');
    await ended.refresh();
    clock.advance(60_000);
    // Committed after one that ended later.
    end('late', clock.now() - 90_000);
    await ended.refresh();
    expect(asked.map(({ afterEndedAt }) => afterEndedAt - TIME)).toEqual([-120_000, 0, 480_000]);
    expect([refused('new'), refused('late')]).toEqual([true, true]);
  });

  it('are not known before the list has been read to its end, also where that takes too long', async () => {
    jest.useFakeTimers();
    try {
      let answer!: () => void;
      answered = new Promise((resolve) => (answer = resolve));
      for (let index = 0; index <= PAGE; index += 1) end(`s-${index}`);
      const started = start();
      await jest.advanceTimersByTimeAsync(60_000);
      await started;
      answer();
      await jest.advanceTimersByTimeAsync(0);
      expect([ended.isKnown, asked.length]).toEqual([false, 1]);
      await ended.refresh();
      expect([ended.isKnown, refused(`s-${PAGE}`)]).toEqual([true, true]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('are remembered until no access token can be of theirs', async () => {
    end('old');
    await start();
    for (const minutes of [10, 59, 60.9]) {
      clock.set(TIME + minutes * 60_000);
      await ended.refresh();
      expect([minutes, refused('old')]).toEqual([minutes, true]);
    }
    list = [];
    clock.set(TIME + HOUR_MS + 60_000);
    await ended.refresh();
    expect(refused('old')).toBe(false);
  });

  it('beyond the bound are refused by the time of their tokens, which others get past by a refresh', async () => {
    for (let index = 0; index < 6; index += 1) end(`s-${index}`, TIME + index * 60_000);
    clock.set(TIME + 10 * 60_000);
    await start(4);
    const minute = (minutes: number) => TIME + minutes * 60_000;
    expect([0, 1, 5].map((index) => refused(`s-${index}`, minute(index)))).toEqual([true, true, true]);
    // The last one that was forgotten ended in the first minute.
    expect([refused('live', minute(1)), refused('live', minute(2)), refused('live')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
