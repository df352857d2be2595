import type { ChildProcess } from 'node:child_process';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';

/** Whether the child has ended and is reaped. */
export const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

/** Ends the child when the test has ended: it would keep Jest from ending. */
export function endWithThisTest(child: ChildProcess): void {
  onTestEnd(async () => {
    if (hasEnded(child)) return;
    child.kill('SIGKILL');
    await until(() => hasEnded(child), { what: `the end of process ${child.pid}` });
  });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
