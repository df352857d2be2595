// Writes a package.json with the packages of the arguments, in the versions of the repository's lock file.
import { readFileSync, writeFileSync } from 'node:fs';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const dependencies = Object.fromEntries(
  process.argv.slice(2).map((name) => {
    const version = packages[`node_modules/${name}`]?.version;
    if (!version) throw new Error(`package-lock.json has no ${name}`);
    return [name, version];
  }),
);
writeFileSync(
  'package.json',
  JSON.stringify({ name: 'document-store', private: true, type: 'module', dependencies }),
);
