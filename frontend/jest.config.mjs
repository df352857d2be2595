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
    '\\.(mp4|webm|webp)$': '<rootDir>/test/file-address.ts',
  },
  setupFiles: ['<rootDir>/test/setup.ts'],
  testMatch: ['**/*.spec.ts', '**/*.spec.tsx'],
  ...manySuites,
};
