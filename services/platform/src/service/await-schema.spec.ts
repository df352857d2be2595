import { jest } from '@jest/globals';
import { StartError } from '../process/start-error.js';
import { awaitSchema } from './await-schema.js';
import type { Store } from './store.js';

const target = { service: 'test', setting: 'TEST_DATABASE_URL', url: 'postgres://localhost/test', pool: 1 };
const UNREACHABLE = new StartError(
  'TEST_DATABASE_URL: postgres://localhost/test cannot be used: ECONNREFUSED',
);
const OLDER = new StartError(
  "TEST_DATABASE_URL: the database lacks migrations. Run this version's `migrate`.",
);

describe('the wait for the schema', () => {
  const assertReady = jest.fn<Store['assertReady']>();
  const onWait = jest.fn<(reason: string) => void>();
  const wait = (limitMs: number) => awaitSchema({ assertReady }, target, { onWait, limitMs, betweenMs: 1 });

  beforeEach(() => {
    assertReady.mockReset();
    onWait.mockReset();
  });

  it('ends when a process of the service would start, and says each reason to wait once', async () => {
    for (const error of [UNREACHABLE, UNREACHABLE, OLDER, OLDER]) assertReady.mockRejectedValueOnce(error);
    assertReady.mockResolvedValue(undefined);
    await wait(60_000);
    expect(onWait.mock.calls.flat()).toEqual([UNREACHABLE.message, OLDER.message]);
    expect(assertReady.mock.calls).toEqual(Array.from({ length: 5 }, () => [target]));
  });

  it('has a limit, and then says what was missing last', async () => {
    assertReady.mockRejectedValue(OLDER);
    await expect(wait(5)).rejects.toThrow(`waited 0 s for the schema in vain. ${OLDER.message}`);
    await expect(wait(5)).rejects.toBeInstanceOf(StartError);
  });

  it('does not wait for a defect to go away', async () => {
    assertReady.mockRejectedValue(new TypeError('a defect'));
    await expect(wait(60_000)).rejects.toThrow(TypeError);
    expect(onWait).not.toHaveBeenCalled();
  });
});
