/**
 * Calls `take` with each line of a stream. Reads to the end even when the caller needs no more lines: a program whose
 * output is not read would block.
 *
 * @param {import('node:stream').Readable} stream
 * @param {(line: string) => void} take
 */
export function eachLine(stream, take) {
  let rest = '';
  stream.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}
