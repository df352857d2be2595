import base from './.dependency-cruiser.mjs';

/**
 * The order of folders: no two folders of a package import each other, directly or by way of others. Specs are left out,
 * since they may use what stands above them.
 *
 * @type {import('dependency-cruiser').IConfiguration}
 */
export default {
  forbidden: [
    {
      name: 'no-folder-circles',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    ...base.options,
    exclude: { path: '(^|/)(dist|bundle|\\.nx|\\.vite|test|testing)/|\\.spec\\.tsx?$' },
  },
};
