import type { DestinationStream } from 'pino';

const SHOWN_APART = new Set(['time', 'level', 'service', 'msg', 'err', 'error']);

/** Turns JSON lines into `12:00:00 WARN posts: message  key=value`, an error's stack below. */
export function prettyStream(output: { write(text: string): unknown }): DestinationStream {
  return {
    write(line: string) {
      const entry = JSON.parse(line) as Record<string, unknown>;
      const fields = Object.entries(entry)
        .filter(([name]) => !SHOWN_APART.has(name))
        .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
        .join(' ');
      const head = `${String(entry.time).slice(11, 19)} ${String(entry.level).toUpperCase()} ${String(entry.service)}:`;
      const text = [head, String(entry.msg ?? ''), fields].filter((part) => part !== '').join(' ');
      const stack = (entry.err as { stack?: string } | undefined)?.stack;
      output.write(stack === undefined ? `${text}\n` : `${text}\n${stack}\n`);
    },
  };
}
