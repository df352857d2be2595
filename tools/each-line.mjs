/**
 * Gives what a stream carries line by line. Goes on reading to the end, since a program whose output nobody reads would
 * block.
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
