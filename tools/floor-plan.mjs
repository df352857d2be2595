import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from './prepare.mjs';

/**
 * `node tools/floor-plan.mjs [folder]`, a part of `npm run boundaries`: checks that every service has the folders of
 * docs/adr/0015-one-floor-plan.md. Prints one line per fault, and then ends with code 1.
 */

/** The packages of `services/` that are no services. */
const NO_SERVICES = new Set(['platform', 'registry']);
const ROOMS = new Set(['store', 'projections', 'migrations', 'cli']);
/** Besides `<service>.module.ts`: what starts the service, its workers and its child processes. */
const TOP_FILE = /^(?:service|settings|(?:[\w-]+-)?main|[\w-]+-worker)(?:\.spec)?\.ts$/;
const ROW = /\.(?:entity|schema|repository)\.ts$/;
const ROW_CLASS = /@Entity\(|\bextends\s+(?:ownedCollection|collection)[<(]/;
const PROJECTION = /\bextends\s+(ProjectionTable|ProjectedRows|UserProjection|BlockProjection)\b/;
const IMPORT = /(?:\bfrom|\bimport|\bimport\()\s*'(\.{1,2}\/[^']+)'/g;

/** The text of each `.ts` file below `folder`, by its path there. */
function read(folder) {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = files
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    paths.sort().map((path) => {
      const inner = path.slice(folder.length + 1).replaceAll('\\', '/');
      return [inner, readFileSync(path, 'utf8')];
    }),
  );
}

/** What is wrong with one file of a service's `src`, by its path there. */
function* faultsOfFile(path, text, service) {
  const [room, ...inner] = path.split('/');
  const name = posix.basename(path);
  if (/\.(?:grpc|controller)\.ts$/.test(name)) {
    yield "has no place in a service: list the class of each rpc under 'handlers' in service.ts";
  }
  if (inner.length === 0) {
    if (!TOP_FILE.test(name) && name !== `${service}.module.ts`)
      yield `belongs into a folder: beside service.ts stand settings.ts, ${service}.module.ts, main.ts and workers alone`;
    return;
  }
  if (!ROOMS.has(room) && inner.length > 1) yield 'is in a folder of a folder: a noun has files alone';
  if ((ROW.test(name) || ROW_CLASS.test(text)) && room !== 'store' && room !== 'projections')
    yield "belongs into store/, or into projections/ if it is a row of another service's state";
  if (room !== 'projections') {
    const [, base] = PROJECTION.exec(text) ?? [];
    if (base) yield `extends ${base}: projections belong into projections/`;
    else if (/^known-.*\.ts$/.test(name))
      yield 'belongs into projections/, or needs a name without "known": known is what other services own';
  }
  if (room !== 'store' || name.endsWith('.spec.ts')) return;
  for (const [, imported] of text.matchAll(IMPORT)) {
    if (!posix.join('store', ...inner.slice(0, -1), imported).startsWith('store/'))
      yield `imports ${imported}: of its own service, store/ imports store/ alone`;
  }
}

/** What is wrong with a service, whose package is `folder`; one line each. */
function faultsOfService(folder, service) {
  const source = read(join(folder, 'src'));
  const faults = [...source].flatMap(([path, text]) =>
    [...faultsOfFile(path, text, service)].map((fault) => `services/${service}/src/${path} ${fault}`),
  );
  const rooms = new Set(
    [...source.keys()].filter((path) => path.includes('/')).map((path) => path.split('/')[0]),
  );
  for (const room of rooms) {
    if (room.endsWith('ing'))
      faults.push(
        `services/${service}/src/${room}/ needs the name of a thing, such as comment/, not commenting/`,
      );
  }
  if (!existsSync(join(folder, 'test/start.ts')))
    faults.push(`services/${service}/test/start.ts is missing: it starts the service for its suites`);
  return faults;
}

function main(folder = root) {
  const services = readdirSync(join(folder, 'services')).filter(
    (name) => !NO_SERVICES.has(name) && existsSync(join(folder, 'services', name, 'package.json')),
  );
  const faults = services.flatMap((name) => faultsOfService(join(folder, 'services', name), name));
  for (const fault of faults) console.error(fault);
  if (faults.length > 0)
    console.error('\nThe folders of a service, and why: docs/adr/0015-one-floor-plan.md');
  console.log(`${services.length} services on one floor plan, ${faults.length} faults`);
  if (faults.length > 0) process.exitCode = 1;
}

main(process.argv[2]);
