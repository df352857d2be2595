import { manySuites, nodePreset } from '../jest.preset.mjs';

const [typescript] = Object.values(nodePreset.transform);
const [transformer, options] = typescript;
const { decorators, ...parser } = options.jsc.parser;

export default {
  ...nodePreset,
  testEnvironment: '<rootDir>/test/browser-environment.mjs',
  testEnvironmentOptions: {},
  transform: {
    '^.+\\.tsx?$': [
      transformer,
      {
        ...options,
        jsc: {
          ...options.jsc,
          parser: { ...parser, tsx: true },
          transform: { react: { runtime: 'automatic' } },
        },
      },
    ],
  },
  moduleNameMapper: {
    ...nodePreset.moduleNameMapper,
    '\\.css$': '<rootDir>/test/css-module.ts',
    // As Vite does: its main form is for Node, without XMLHttpRequest.
    '^tus-js-client$': '<rootDir>/../node_modules/tus-js-client/lib.es5/browser/index.js',
    '\\.(mp4|webm|webp)$': '<rootDir>/test/file-address.ts',
  },
  setupFiles: ['<rootDir>/test/setup.ts'],
  testMatch: ['**/*.spec.ts', '**/*.spec.tsx'],
  ...manySuites,
};
