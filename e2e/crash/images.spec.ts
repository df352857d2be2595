import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { askedFor } from '../../tools/bundling/asked-for.mjs';
import { collect } from '../../tools/bundling/collect.mjs';
import { OUTSIDE } from '../../tools/bundling/outside.mjs';
import { collectedFor, imageStages, stagesOfImages } from '../../tools/kubernetes/dockerfile.mjs';
import { runProgram } from '../support/run-process.js';

const root = join(fileURLToPath(import.meta.url), '../../..');
const stages = stagesOfImages();
/** Of Jobs that are one file there is nothing to collect. A command that asks for help needs no settings: another one is run. */
const all = imageStages(stages)
  .filter(({ name }) => collectedFor(stages, name))
  .map(({ name, command }) => ({
    name,
    command: command![1] === '--help' ? [command![0]!, 'list', 'identity'] : command!,
  }));

describe('the images of deploy/docker', () => {
  let target: string;
  /** The bundled scripts that images have, by their paths. */
  const copied = new Set<string>();
  // Outside of the repository, so that no other package can be found.
  beforeAll(() => (target = mkdtempSync(join(tmpdir(), 'pulso-images-'))));
  afterAll(() => rmSync(target, { recursive: true, force: true }));

  it.each(all)(
    '$name runs on what is copied, and says which settings it lacks',
    async ({ name, command }) => {
      const { folder, programs } = collectedFor(stages, name)!;
      const { scripts, packages } = collect({ root, folder, programs, target: join(target, name) });
      const pulso = join(target, name, 'pulso');
      for (const part of ['packages', 'programs'])
        cpSync(join(target, name, part), pulso, { recursive: true });
      const [program, ...args] = command;
      const { code, stdout, stderr } = await runProgram(relative(root, join(pulso, program!)), args, {});
      expect({ code, lines: (stdout + stderr).trim().split('\n') }).toEqual({
        code: 1,
        lines: [expect.stringMatching(/^[a-z-]+: Wrong settings\. .*is not set/)],
      });
      // Some are asked for late.
      const asked = scripts.flatMap((script) => askedFor(readFileSync(join(pulso, script), 'utf8')).packages);
      const outside = [...new Set(asked)].filter((one) => Object.hasOwn(OUTSIDE, one));
      expect(outside.filter((one) => !packages.includes(`node_modules/${one}`))).toEqual([]);
      scripts.forEach((script) => copied.add(script));
    },
  );

  it('have every chunk of the bundles, together', () => {
    const folders = new Set(stages.flatMap(({ collected }) => collected.map(({ folder }) => folder)));
    const bundled = [...folders].flatMap((folder) =>
      (readdirSync(join(root, folder, 'bundle'), { recursive: true }) as string[])
        .filter((file) => file.endsWith('.js'))
        .map((file) => `${folder}/bundle/${file}`),
    );
    expect(bundled.filter((file) => !copied.has(file))).toEqual([]);
  });
});
