/**
 * Aborts when this program is asked to end, so that what it has started can be ended first. From then on signals end it
 * by this alone: whoever asks for it must see to it. Ctrl-C comes twice, from the terminal and from npm.
 *
 * @returns {AbortSignal}
 */
export function interruption() {
  const asked = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => asked.abort());
  // A SIGTERM to npm ends its shell, which tells nobody.
  const { ppid } = process;
  setInterval(() => process.ppid === ppid || asked.abort(), 500).unref();
  return asked.signal;
}
