import { readdirSync } from 'node:fs';

/** The services: each imports the platform and the contracts, never another service. */
const services = readdirSync(new URL('./services/', import.meta.url)).filter(
  (name) => name !== 'platform' && name !== 'registry',
);

/** Which scopes a scope may import besides itself; a scope is a package. */
const ALLOWED = {
  contracts: [],
  platform: ['contracts'],
  ...Object.fromEntries(services.map((name) => [name, ['platform', 'contracts']])),
  // The one list of all services.
  registry: ['platform', 'contracts', ...services],
  gateway: ['platform', 'contracts'],
  // The browser knows the server only by the OpenAPI document its client is generated from.
  frontend: [],
  // The composition root of the embedded profile.
  embedded: ['platform', 'contracts', 'registry', 'gateway', 'stripe-simulator'],
  // It knows billing only by Stripe's interface.
  'stripe-simulator': ['platform'],
  e2e: ['platform', 'contracts', 'registry', ...services, 'gateway', 'embedded', 'stripe-simulator'],
};

const folderOf = {
  contracts: 'proto',
  platform: 'services/platform',
  registry: 'services/registry',
  ...Object.fromEntries(services.map((name) => [name, `services/${name}`])),
  gateway: 'gateway',
  frontend: 'frontend',
  embedded: 'deploy/embedded',
  'stripe-simulator': 'deploy/stripe-simulator',
  e2e: 'e2e',
};
const folders = Object.values(folderOf);

const boundaries = Object.entries(ALLOWED).map(([scope, allowed]) => ({
  name: `scope-${scope}`,
  comment: `${scope} may import ${['itself', ...allowed].join(', ')}`,
  severity: 'error',
  from: { path: `^${folderOf[scope]}/` },
  to: {
    path: `^(${folders.join('|')})/`,
    pathNot: [scope, ...allowed].map((name) => `^${folderOf[name]}/`).join('|'),
  },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...boundaries,
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      // Types may name each other; a cycle at run time may see half a module.
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'features-apart',
      comment: 'A feature of the frontend never imports another; pages compose them.',
      severity: 'error',
      from: { path: '^frontend/src/features/([^/]+)/' },
      to: { path: '^frontend/src/features/', pathNot: '^frontend/src/features/$1/' },
    },
    {
      name: 'pure-feed-index',
      comment: 'The index is rules and arrays: no framework, no I/O.',
      severity: 'error',
      from: { path: '^services/posts/src/feed-index/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: '^services/posts/src/feed-index/' },
    },
    {
      name: 'no-tests-in-production',
      severity: 'error',
      from: { path: '/src/', pathNot: '\\.spec\\.tsx?$' },
      to: { path: '(\\.spec\\.tsx?$|/test/)' },
    },
    {
      name: 'not-resolvable',
      severity: 'error',
      from: {},
      // Made by a plugin of Vite.
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|bundle|\\.nx|\\.vite)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
