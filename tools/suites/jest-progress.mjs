import { appendFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/**
 * A reporter of Jest: writes a line of JSON when a file of tests begins and when it ends, to the file that
 * PULSO_JEST_PROGRESS names. So a run that hangs or crashes has told how far it came.
 */
export default class Progress {
  onTestFileStart({ path }) {
    tell({ begun: path });
  }

  onTestFileResult({ path }, { numPassingTests, testResults, failureMessage, perfStats }) {
    const failures = testResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({ test: fullName, error: wordsOf(failureMessages[0]) }));
    // A file that fails without a failed test could not be loaded, or its clean-up has failed.
    const outside = failures.length === 0 && failureMessage ? wordsOf(failureMessage) : undefined;
    if (outside && testResults.length > 0) failures.push({ test: 'clean-up', error: outside });
    tell({
      ended: path,
      passed: numPassingTests,
      seconds: (perfStats.end - perfStats.start) / 1_000,
      failures,
      ...(testResults.length === 0 && { unloaded: outside ?? 'has no tests' }),
    });
  }
}

export function tell(event) {
  const file = process.env.PULSO_JEST_PROGRESS;
  if (file) appendFileSync(file, `${JSON.stringify(event)}\n`);
}

const CODE_FRAME = /^(> )?\d* *\|/;

/** An error in one line, without its stack and the code that it comes from. */
function wordsOf(message = 'no message') {
  const lines = stripVTControlCharacters(message).replace('● Test suite failed to run', '').split('\n');
  const stack = lines.findIndex((line) => /^\s+at /.test(line));
  const words = lines.slice(0, stack < 0 ? 12 : stack).map((line) => line.trim());
  return words
    .filter((line) => line !== '' && !CODE_FRAME.test(line))
    .join(' ')
    .slice(0, 200);
}
