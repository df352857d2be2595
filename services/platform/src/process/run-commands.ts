import { ConfigError } from '../config/load-config.js';
import { isStoreTrouble } from '../errors/store-trouble.js';
import { StartError } from './start-error.js';

/** The command line was not understood; the message is for the operator. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface Command {
  /** What follows the command's name, for the usage: `<noun>`. */
  operands?: string;
  /** One line for the usage. */
  summary: string;
  /** Answers the lines to print. Throws UsageError, ConfigError or StartError for what the operator can mend. */
  run(operands: readonly string[], env: NodeJS.ProcessEnv): Promise<readonly string[]>;
}

/** By name, since most commands have nothing to do with kafkajs and should not load it. */
const KAFKA_NAMES = /^KafkaJS/;
const HELP = new Set(['--help', '-h', 'help']);

/**
 * An operator's command line: runs the command that `process.argv` names and prints what it answers. Exit code 1 where
 * nothing or not all was done: then one line says why.
 */
export async function runCommands(
  program: string,
  commands: Readonly<Record<string, Command>>,
): Promise<void> {
  const [name = '', ...operands] = process.argv.slice(2);
  endWithReader(process.stdout);
  if (HELP.has(name)) {
    process.stdout.write(`${usageOf(program, commands)}\n`);
    return;
  }
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) throw new UsageError(name === '' ? 'A command is needed.' : `Unknown command: ${name}`);
    for (const line of await command.run(operands, process.env)) process.stdout.write(`${line}\n`);
  } catch (error) {
    const explanation = explanationOf(error);
    if (explanation === undefined) throw error;
    const usage = error instanceof UsageError ? `\n${usageOf(program, commands)}` : '';
    // At once: what has not been reached may keep its connection for long.
    process.stderr.write(`${program}: ${explanation}${usage}\n`, () => process.exit(1));
  }
}

/** What the operator is told in one line; undefined for what only we can mend, and whose stack is wanted. */
export function explanationOf(error: unknown): string | undefined {
  if (error instanceof UsageError || error instanceof ConfigError || error instanceof StartError)
    return error.message;
  const isEngines = isStoreTrouble(error) || (error instanceof Error && KAFKA_NAMES.test(error.name));
  return isEngines
    ? `an engine was lost on the way (${(error as Error).message}); the command is safe to repeat`
    : undefined;
}

/** Who reads the first lines alone, as `head` does, closes the pipe: what is left to say is for nobody. */
export function endWithReader(output: NodeJS.WritableStream): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

function usageOf(program: string, commands: Readonly<Record<string, Command>>): string {
  const rows = Object.entries(commands).map(([name, { operands, summary }]) => {
    return [operands ? `${name} ${operands}` : name, summary] as const;
  });
  const width = Math.max(...rows.map(([call]) => call.length));
  return [
    `Usage: ${program} <command>`,
    ...rows.map(([call, summary]) => `  ${call.padEnd(width)}  ${summary}`),
  ].join('\n');
}
