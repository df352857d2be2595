import { runCommand, tryCommand } from '../kubernetes/run-command.js';

const node = (program: string) => ['--input-type=module', '--eval', program];

describe('a command of the proof on a cluster', () => {
  it('reads its input, and gives its output whole and by lines', async () => {
    const lines: string[] = [];
    const program = 'for await (const chunk of process.stdin) process.stdout.write(`got ${chunk}`);';
    const onLine = (line: string) => void lines.push(line);
    const { stdout } = await runCommand(process.execPath, node(program), { input: 'a\nb\n', onLine });
    expect(stdout).toBe('got a\nb\n');
    expect(lines).toEqual(['got a', 'b']);
  });

  it('rejects with what it said when it ends with another code than 0, unless that is asked for', async () => {
    const failing = node('console.error("no such pod"); process.exit(3);');
    await expect(runCommand(process.execPath, failing)).rejects.toThrow('ended with 3: no such pod');
    expect(await tryCommand(process.execPath, failing)).toMatchObject({ code: 3, stderr: 'no such pod\n' });
  });

  it('rejects when there is no such program', async () => {
    await expect(runCommand('pulso-no-such-program', [])).rejects.toThrow('ENOENT');
  });

  it('ends at its limit, with what it has started', async () => {
    const child = `require('node:child_process').spawn(process.execPath, ['--eval', 'setInterval(Object, 1000)'], { stdio: 'inherit' })`;
    // Its output stays open until the grandchild has ended, too.
    const hanging = runCommand(process.execPath, ['--eval', child], { limit: 1_000 });
    await expect(hanging).rejects.toThrow('did not end within 1 s');
  });

  it('ends when it is aborted, with the reason', async () => {
    const ending = new AbortController();
    const program = 'console.log("runs"); setInterval(Object, 1000);';
    const onLine = () => ending.abort(new Error('SIGINT'));
    const running = runCommand(process.execPath, node(program), { signal: ending.signal, onLine });
    await expect(running).rejects.toThrow('SIGINT');
    await expect(runCommand(process.execPath, node(program), { signal: ending.signal })).rejects.toThrow(
      'SIGINT',
    );
  });
});
