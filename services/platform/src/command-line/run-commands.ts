import { parseArgs } from 'node:util';
import { ConfigError } from '../config/load-config.js';
import { DomainError } from '../errors/domain-error.js';
import { isStoreTrouble } from '../errors/store-trouble.js';
import { StartError } from '../start/start-error.js';

/** The command line was not understood; the message is for the operator. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface CommandOption {
  type: 'string' | 'boolean';
  /** What follows the option, for the usage: `<moderator>`. */
  value?: string;
  required?: true;
  default?: string;
}

/** The words after a command's name, as they were given. */
export interface CommandInput {
  operands: readonly string[];
  /** By the option's name; undefined or false for one that was not given. */
  options: Readonly<Record<string, string | boolean | undefined>>;
}

export interface CommandLine {
  /** What follows the command's name, one word each: `<entity>`; `[<event>]` may be left out. */
  operands?: readonly string[];
  options?: Readonly<Record<string, CommandOption>>;
  /** One line for the usage. */
  summary: string;
}

export interface Command extends CommandLine {
  /** Answers the lines to print. Throws UsageError, ConfigError, StartError or DomainError for what the operator can mend. */
  run(input: CommandInput, env: NodeJS.ProcessEnv): Promise<readonly string[]>;
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
  const [name = '', ...words] = process.argv.slice(2);
  endWithReader(process.stdout);
  if (HELP.has(name) || words.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(`${usageOf(program, commands)}\n`);
    return;
  }
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) throw new UsageError(name === '' ? 'Name a command.' : `Unknown command: ${name}`);
    for (const line of await command.run(readInput(command, words), process.env))
      process.stdout.write(`${line}\n`);
  } catch (error) {
    const explanation = explanationOf(error);
    if (explanation === undefined) throw error;
    const usage = error instanceof UsageError ? `\n${usageOf(program, commands)}` : '';
    // Exit at once: an engine that could not be reached may keep its connection for long.
    process.stderr.write(`${program}: ${explanation}${usage}\n`, () => process.exit(1));
  }
}

/** The operands and options of one command. Throws UsageError. */
export function readInput(
  { operands = [], options = {} }: CommandLine,
  words: readonly string[],
): CommandInput {
  const { values, positionals } = parse(words, options);
  const missing = operands.slice(positionals.length).find((operand) => !operand.startsWith('['));
  if (missing !== undefined) throw new UsageError(`Missing argument: ${missing}`);
  const surplus = positionals.slice(operands.length);
  if (surplus.length > 0) throw new UsageError(`Unexpected argument: ${surplus.join(' ')}`);
  for (const [name, { required, value = '' }] of Object.entries(options)) {
    if (required && !String(values[name] ?? '').trim())
      throw new UsageError(`Missing option: --${name} ${value}`);
  }
  return { operands: positionals, options: values };
}

function parse(words: readonly string[], options: Readonly<Record<string, CommandOption>>) {
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { type, default: fallback }]) => {
      return [name, fallback === undefined ? { type } : { type, default: fallback }];
    }),
  );
  try {
    const parsed = parseArgs({ args: [...words], options: config, allowPositionals: true });
    return { ...parsed, values: parsed.values as CommandInput['options'] };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** What the operator is told in one line; undefined for a defect of ours, whose stack is wanted. */
export function explanationOf(error: unknown): string | undefined {
  const isClear = [UsageError, ConfigError, StartError, DomainError].some((kind) => error instanceof kind);
  if (isClear) return (error as Error).message;
  const isEngines = isStoreTrouble(error) || (error instanceof Error && KAFKA_NAMES.test(error.name));
  return isEngines
    ? `lost connection to the database or broker (${(error as Error).message}); the command is safe to repeat`
    : undefined;
}

/** Ends quietly when the reader of the output has gone, as `head` does after its first lines. */
function endWithReader(output: NodeJS.WritableStream): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

function usageOf(program: string, commands: Readonly<Record<string, Command>>): string {
  const rows = Object.entries(commands).map(([name, { operands = [], options = {}, summary }]) => {
    const given = Object.entries(options).map(([option, { value, required }]) => {
      const text = value ? `--${option} ${value}` : `--${option}`;
      return required ? text : `[${text}]`;
    });
    return [[name, ...operands, ...given].join(' '), summary] as const;
  });
  const width = Math.max(...rows.map(([call]) => call.length));
  return [
    `Usage: ${program} <command>`,
    ...rows.map(([call, summary]) => `  ${call.padEnd(width)}  ${summary}`),
  ].join('\n');
}
