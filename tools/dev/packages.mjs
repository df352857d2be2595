import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * The packages that swc compiles, read from their `build` scripts; all paths are absolute.
 *
 * @param {string} root
 * @returns {{ folder: string, source: string, dist: string, watched: string }[]}
 */
export function compiledPackages(root) {
  const read = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const folders = read('.').workspaces.flatMap((name) =>
    name.endsWith('/*')
      ? readdirSync(join(root, name.slice(0, -2))).map((child) => join(name.slice(0, -2), child))
      : [name],
  );
  return folders
    .filter((name) => existsSync(join(root, name, 'package.json')))
    .flatMap((name) => {
      const [, sources = ''] = /^swc (.+?) -d dist /.exec(read(name).scripts?.build ?? '') ?? [];
      const folder = join(root, name);
      return sources.split(' ').flatMap((source) => {
        if (!source) return [];
        // The files in gen are generated from .proto files, which developers edit.
        const watched = join(folder, source === 'gen' ? 'pulso' : source);
        return [{ folder, source: join(folder, source), dist: join(folder, 'dist'), watched }];
      });
    });
}

/**
 * Generates TypeScript from the .proto files and compiles it. Errors of buf are reported as errors of the compiler.
 *
 * @param {{ folder: string, source: string, dist: string }} contracts
 * @param {{ errors: Map<string, string>, update: (file: string, folders: object) => Promise<boolean> }} compiler
 * @returns {Promise<boolean>} whether any compiled output has changed
 */
export async function updateContracts(contracts, compiler) {
  const files = () =>
    readdirSync(contracts.source, { recursive: true }).filter((name) => name.endsWith('.ts'));
  compiler.errors.delete(contracts.folder);
  const before = files();
  try {
    await promisify(execFile)('npm', ['run', 'generate', '--silent'], { cwd: contracts.folder });
  } catch (error) {
    compiler.errors.set(contracts.folder, error.stderr || error.stdout || error.message);
    return false;
  }
  const changes = await Promise.all(
    [...new Set([...before, ...files()])].map((name) =>
      compiler.update(join(contracts.source, name), contracts),
    ),
  );
  return changes.includes(true);
}
