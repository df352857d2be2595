import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, lineOf, readTable, runsIn, tableOf } from '../../tools/ci/budget.mjs';
import { canCount, counted } from '../../tools/ci/cpu.mjs';
import { STEPS } from '../../tools/ci/steps.mjs';

const root = join(fileURLToPath(import.meta.url), '../../..');
const MACHINE = { processor: 'Some processor', cores: 2, node: 'v20.0.0' };
const TABLE = {
  machine: { ...MACHINE, yardstickS: 2 },
  runs: 3,
  steps: { suites: { cpuS: 1_000, tests: 10_000 } },
};

/** A run of one step. */
const runOf = ({
  cpuS = 1_000,
  tests = 10_000,
  yardsticks = [2, 2],
  crowding = [1, 1],
  machine = MACHINE,
  whole = true,
  name = 'suites',
}) => ({ machine, yardsticks, crowding, steps: { [name]: { cpuS, tests, whole } } });

const noteOf = (run: ReturnType<typeof runOf>, table: typeof TABLE | undefined = TABLE) => {
  const { notes, red } = compare(run, table);
  expect(red).toEqual([]);
  return Object.values(notes)[0];
};

describe('the budget of CI', () => {
  it('allows a step to grow by 9 %', () => {
    expect(noteOf(runOf({ cpuS: 1_090 }))).toBe(
      "1090 s of CPU (109 ms a test): +9.0 % of the table's 1000 s of CPU (100 ms a test)",
    );
  });

  it('is red when a step has grown by 11 %, and says how the table is changed', () => {
    const { red } = compare(runOf({ cpuS: 1_110 }), TABLE);
    expect(red).toEqual([
      'suites: 1110 s of CPU (111 ms a test), in the table 1000 s of CPU (100 ms a test): +11.0 %, limit +10 %. ' +
        'On purpose? npm run ci -- --write-budget; a commit of its own says why',
    ]);
  });

  it('shows that a test has become dearer when fewer take as much', () => {
    expect(noteOf(runOf({ tests: 8_000 }))).toBe(
      "1000 s of CPU (125 ms a test): +0.0 % of the table's 1000 s of CPU (100 ms a test)",
    );
  });

  it('takes into account how fast the machine is that day', () => {
    expect(noteOf(runOf({ cpuS: 1_400, yardsticks: [2.8, 2.9, 2.7] }))).toMatch(/^1000 s .*: \+0\.0 %/);
    expect(compare(runOf({ cpuS: 900, yardsticks: [1.6, 1.6, 1.6] }), TABLE).red).toEqual([
      expect.stringContaining('+12.5 %'),
    ]);
  });

  it.each([
    [
      'another processor',
      { machine: { ...MACHINE, processor: 'Another' } },
      /another machine: Another, 2 cores/,
    ],
    ['more cores', { machine: { ...MACHINE, cores: 4 } }, /another machine: .* 4 cores/],
    ['another Node', { machine: { ...MACHINE, node: 'v22.0.0' } }, /another machine: .* Node v22/],
    ['an unsteady machine', { yardsticks: [2, 2.6] }, /not steady: .* differ by 30 %/],
    [
      'a machine that other programs use, too',
      { crowding: [1, 1.4, 1.5] },
      /yardstick took 1\.40 times its CPU/,
    ],
    ['a machine that is far slower', { yardsticks: [3.2, 3.2] }, /takes 1\.60 of the time/],
    ['a run with failed or repeated files', { whole: false }, /failed or run twice/],
    ['a step that has no figure', { name: 'new' }, /not in the table/],
  ])('compares nothing of %s', (_what, changed, why) => {
    expect(noteOf(runOf({ cpuS: 9_000, ...changed }))).toMatch(
      new RegExp(`^9000 s of CPU .*, not compared: .*${why.source}`),
    );
  });

  it('compares nothing without a table', () => {
    expect(compare(runOf({}), undefined)).toEqual({
      notes: { suites: '1000 s of CPU (100 ms a test), not compared: there is no table' },
      red: [],
    });
  });
});

describe('the table of the budget', () => {
  it('has the upper figure of several runs, as of the machine of their middle', () => {
    const runs = [
      runOf({ cpuS: 1_000, yardsticks: [2, 2] }),
      runOf({ cpuS: 1_210, yardsticks: [2.2, 2.2] }),
      runOf({ cpuS: 5_000, whole: false }),
    ];
    expect(tableOf(runs)).toEqual({ ...TABLE, steps: { suites: { cpuS: 1_100, tests: 10_000 } } });
  });

  it('is not made of runs on different machines, or without a whole one', () => {
    const other = runOf({ machine: { ...MACHINE, cores: 4 } });
    expect(() => tableOf([runOf({}), other])).toThrow('runs of 2 kinds of machines');
    expect(() => tableOf([runOf({ whole: false })])).toThrow('suites: something has failed or run twice');
  });

  it('is made from the logs of runs', () => {
    const run = runOf({});
    expect(runsIn(`before\nprefix ${lineOf(run)}\nafter\n`)).toEqual([run]);
    expect(runsIn('nothing\n')).toEqual([]);
  });

  it('names the steps of CI', () => {
    const table = readTable();
    if (table) expect(Object.keys(table.steps)).toEqual(STEPS.map(({ name }) => name));
    expect(STEPS.length).toBeGreaterThan(2);
  });
});

/** Tells who has adopted a process whose parent has ended, and its own parent. */
const ADOPTED = `
  import { spawn } from 'node:child_process';
  const orphan = \`
    const parent = process.ppid;
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      console.log(process.ppid);
    }, 20);
    process.send('runs');
  \`;
  const parent = \`
    const { spawn } = require('node:child_process');
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'];
    spawn(process.execPath, ['-e', process.argv[1]], { detached: true, stdio }).once('message', () => process.exit());
  \`;
  const child = spawn(process.execPath, ['-e', parent, orphan], { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.once('data', (adopter) => console.log(JSON.stringify([Number(adopter), process.ppid])));
`;
/** Prints the CPU seconds of what it has waited for, after a command has ended. */
const countingOf = (command: string, args: string[]) => `
  import { spawnSync } from 'node:child_process';
  import { cpuOfEnded } from ${JSON.stringify(join(root, 'tools/ci/cpu.mjs'))};
  const { status } = spawnSync(${JSON.stringify(command)}, ${JSON.stringify(args)});
  console.log(JSON.stringify({ status, counts: cpuOfEnded() > 0 }));
`;

const onLinux = canCount() ? describe : describe.skip;
onLinux('the CPU time of a step', () => {
  const run = (command: string, args: string[]) =>
    spawnSync(command, args, { encoding: 'utf8', timeout: 60_000 });

  it('is counted of what a process has waited for', () => {
    const { command, args } = counted(process.execPath, ['-e', 'process.exitCode = 3']);
    const script = countingOf(command, args);
    const { stdout } = run(process.execPath, ['--input-type=module', '-e', script]);
    expect(JSON.parse(stdout)).toEqual({ status: 3, counts: true });
  });

  it('is counted of processes that have lost their parent', () => {
    const { command, args } = counted(process.execPath, ['--input-type=module', '-e', ADOPTED]);
    const [adopter, counter] = JSON.parse(run(command, args).stdout) as [number, number];
    expect(adopter).toBe(counter);
  });

  it('leaves the end of the command as it is', () => {
    const killed = counted(process.execPath, [
      '-e',
      "process.kill(process.pid, 'SIGKILL'); setInterval(() => 0, 1_000)",
    ]);
    expect(run(killed.command, killed.args).signal).toBe('SIGKILL');
    const missing = counted('there-is-no-such-program', []);
    expect(run(missing.command, missing.args)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('No such file'),
    });
  });
});
