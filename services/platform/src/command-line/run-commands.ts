import { parseArgs } from 'node:util';
import { ConfigError } from '../process/load-config.js';
import { DomainError } from '../errors/domain-error.js';
import { isStoreTrouble } from '../errors/store-trouble.js';
import { StartError } from '../process/start-error.js';
import { visible } from './visible.js';

/** The command line is invalid; the message is for the operator. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface CommandOption {
  type: 'string' | 'boolean';
  /** The option's value as the usage shows it: `<moderator>`. */
  value?: string;
  required?: true;
  default?: string;
}

/** The arguments after a command's name, as they were given. */
export interface CommandInput {
  operands: readonly string[];
  /** By the option's name; undefined or false if the option was not given. */
  options: Readonly<Record<string, string | boolean | undefined>>;
}

export interface CommandLine {
  /** The arguments after the command's name: `<post>` is required, `[<event>]` is optional, `<entity>...` is one or more. */
  operands?: readonly string[];
  options?: Readonly<Record<string, CommandOption>>;
  /** One line for the usage. */
  summary: string;
}

export interface Command extends CommandLine {
  /** Returns the lines to print. Throws UsageError, ConfigError, StartError or DomainError for what the operator can fix. */
  run(input: CommandInput, env: NodeJS.ProcessEnv): Promise<readonly string[]>;
}

export interface Invocation {
  /** The command's name and its arguments; those of the process unless given. */
  words?: readonly string[];
  /** Called when the arguments are valid: opens the environment of the command. The process's own unless given. */
  openEnvironment?: () => Promise<{ env: NodeJS.ProcessEnv; close(): Promise<void> }>;
}

const ownEnvironment = async () => ({ env: process.env, close: async () => undefined });

/** Matched by name, so that commands that do not use kafkajs need not load it. */
const KAFKA_NAMES = /^KafkaJS/;
const HELP = new Set(['--help', '-h', 'help']);

/**
 * An operator's command line: runs the command that `words` name and prints its result. If the command fails or
 * does only a part of its work, it prints the reason in one line and exits with code 1.
 */
export async function runCommands(
  program: string,
  commands: Readonly<Record<string, Command>>,
  { words: given = process.argv.slice(2), openEnvironment = ownEnvironment }: Invocation = {},
): Promise<void> {
  const [name = '', ...words] = given;
  endWithReader(process.stdout);
  endWhenContainerEnds();
  if (HELP.has(name) || words.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(`${usageOf(program, commands)}\n`);
    return;
  }
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) throw new UsageError(name === '' ? 'Name a command.' : `Unknown command: ${name}`);
    const input = readInput(command, words);
    const { env, close } = await openEnvironment();
    try {
      const lines = await command.run(input, env);
      for (const line of lines) process.stdout.write(`${visible(line)}\n`);
    } finally {
      await close();
    }
  } catch (error) {
    const explanation = explanationOf(error);
    if (explanation === undefined) throw error;
    const reason = explanation.split('\n').map(visible).join('\n');
    const usage = error instanceof UsageError ? `\n${usageOf(program, commands)}` : '';
    // Exit at once: an engine that cannot be reached may keep its connection open for a long time.
    process.stderr.write(`${program}: ${reason}${usage}\n`, () => process.exit(1));
  }
}

/** Parses the operands and options of one command. Throws UsageError. */
export function readInput(
  { operands = [], options = {} }: CommandLine,
  words: readonly string[],
): CommandInput {
  const { values, positionals } = parse(words, options);
  const missing = operands.slice(positionals.length).find((operand) => !operand.startsWith('['));
  if (missing !== undefined) throw new UsageError(`Missing argument: ${missing}`);
  const surplus = operands.at(-1)?.endsWith('...') ? [] : positionals.slice(operands.length);
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

/** The error in one line for the operator; undefined for a defect in the program, which needs its stack. */
export function explanationOf(error: unknown): string | undefined {
  const isClear = [UsageError, ConfigError, StartError, DomainError].some((kind) => error instanceof kind);
  if (isClear) return (error as Error).message;
  const isEngines = isStoreTrouble(error) || (error instanceof Error && KAFKA_NAMES.test(error.name));
  return isEngines
    ? `lost connection to the database, broker or object store (${(error as Error).message}); the command is safe to repeat`
    : undefined;
}

/** Exits quietly when the reader has closed the pipe, as `head` does after its first lines. */
function endWithReader(output: NodeJS.WritableStream): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

/** Process 1 of a container is not ended by a signal that it does not handle; commands are safe to end at any time. */
function endWhenContainerEnds(): void {
  if (process.pid === 1) process.once('SIGTERM', () => process.exit(128 + 15));
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
