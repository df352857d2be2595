import { jest } from '@jest/globals';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { DEFAULT_STOP_DEADLINE_MS, type Launch, launch } from './launch.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Launches in this process, which `exit` would end; `codes` are those that it was told to end with. */
async function launchHere(start: (launch: Launch) => void) {
  const codes: unknown[] = [];
  const known = SIGNALS.map((name) => process.listeners(name));
  const mocks = [
    jest.spyOn(process, 'exit').mockImplementation(((code: unknown) => codes.push(code)) as never),
    jest.spyOn(console, 'error').mockReturnValue(),
  ];
  // The deadline's timer would otherwise end Jest later.
  jest.useFakeTimers({ doNotFake: ['performance', 'nextTick', 'queueMicrotask', 'setImmediate'] });
  onTestEnd(() => {
    jest.useRealTimers();
    for (const mock of mocks) mock.mockRestore();
    for (const [place, name] of SIGNALS.entries()) {
      for (const listener of process.listeners(name)) {
        if (!known[place]!.includes(listener)) process.off(name, listener);
      }
    }
  });
  await launch(async (parts) => start(parts));
  const before = known[SIGNALS.indexOf('SIGTERM')]!;
  const [stop] = process.listeners('SIGTERM').filter((listener) => !before.includes(listener));
  return { codes, stop: () => stop!('SIGTERM') };
}

describe('stopping', () => {
  it('closes the parts in reverse order, and ends with code 0', async () => {
    const closed: string[] = [];
    const { codes, stop } = await launchHere(({ closers }) => {
      closers.push(
        () => void closed.push('first'),
        async () => void closed.push('last'),
      );
    });
    stop();
    await until(() => codes.length > 0, { what: 'the end of the process' });
    expect({ codes, closed }).toEqual({ codes: [0], closed: ['last', 'first'] });
  });

  it('ends with code 1 when a part failed to close, after the others', async () => {
    const closed: string[] = [];
    const { codes, stop } = await launchHere(({ closers }) => {
      closers.push(
        () => void closed.push('first'),
        () => Promise.reject(new Error('stuck')),
      );
    });
    stop();
    await until(() => codes.length > 0, { what: 'the end of the process' });
    expect({ codes, closed }).toEqual({ codes: [1], closed: ['first'] });
  });

  it.each([
    ['the deadline that it was given', 77_000, (parts: Launch) => parts.stopWithin(77_000)],
    ['the default deadline', DEFAULT_STOP_DEADLINE_MS, () => undefined],
  ])('ends with code 1 at %s when a part does not close', async (_, wanted, prepare) => {
    const { codes, stop } = await launchHere((parts) => {
      prepare(parts);
      parts.closers.push(() => new Promise(() => undefined));
    });
    stop();
    jest.advanceTimersByTime(wanted - 1);
    expect(codes).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(codes).toEqual([1]);
  });
});
