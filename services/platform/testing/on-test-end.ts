type Ending = () => Promise<unknown> | unknown;

const endings: Ending[] = [];

afterEach(async () => {
  const failures: unknown[] = [];
  for (const end of endings.splice(0).reverse()) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `cleaning up after the test failed: ${String(failures[0])}`);
});

/**
 * Runs these when the test that calls it has ended, however it ends: what a test started would otherwise disturb all
 * later files of the process, and keep Jest from ending. The last one given runs first.
 */
export function onTestEnd(...more: Ending[]): void {
  endings.push(...more);
}
