/** The private parts of Jest's runtime that are used here, with a member that each one has. */
const PARTS = {
  _testPath: undefined,
  'esmLoader.testPath': undefined,
  'executor.testPath': undefined,
  'testState.state': undefined,
  'mockState.clear': 'function',
  'testMainModule.reset': 'function',
  'loggedReferenceErrors.clear': 'function',
  'registries.exitIsolated': 'function',
  'registries.mockRegistry.clear': 'function',
  'registries.moduleMockRegistry.clear': 'function',
  'registries.esModuleRegistry.delete': 'function',
  'registries.moduleRegistry.delete': 'function',
  'registries.internalModuleRegistry.delete': 'function',
};

/**
 * The first private part of Jest that `runtime` lacks, in one line that says what to do; undefined when it has all.
 *
 * @param {object} runtime
 * @returns {string | undefined}
 */
export function complaintAbout(runtime) {
  for (const [path, type] of Object.entries(PARTS)) {
    let part = runtime;
    for (const name of path.split('.')) part = part?.[name];
    if (part !== undefined && (type === undefined || typeof part === type)) continue;
    return `Jest's runtime has no \`${path}\` any more: tools/shared-modules/runtime.mjs has to follow this version of Jest, or stay with the one that package.json had before.`;
  }
  return undefined;
}
