import Runtime from 'jest-runtime';
import { complaintAbout } from './private-parts.mjs';
import { allButTestsStay, packagesStay, wantsNewModules } from './what-stays.mjs';

/** By environment. */
const runtimes = new WeakMap();
/** What jest-circus keeps in the global object, for one file. */
const OF_CIRCUS = /^(EVENT_HANDLERS|JEST_STATE_SYMBOL|TEST_TIMEOUT_SYMBOL|RETRY_TIMES)$/;
const CIRCUS = /\bjestAdapterInit\b/;

/**
 * Jest's runtime, but one for all files of a process that share an environment (`shared-environment.mjs`): modules that stay are
 * read, compiled, linked and evaluated once and not once a file. That was 30 to 50 % of what the suites took. It uses what Jest
 * keeps to itself, so package.json pins Jest's version; a version that lacks a part fails every file with a line about it.
 */
export default class SharedRuntime extends Runtime {
  constructor(...options) {
    const [, environment, , , , , path] = options;
    const known = environment.isShared && runtimes.get(environment);
    if (known) {
      known.begin(path);
      return known;
    }
    super(...options);
    const complaint = complaintAbout(this);
    if (complaint) throw new Error(complaint);
    runtimes.set(environment, this);
    if (environment.isShared) this.begin(path);
  }

  /** Serves the file of tests at `path` from now on. */
  begin(path) {
    this._testPath = path;
    this.esmLoader.testPath = path;
    this.executor.testPath = path;
    this.testState.state = 'loading';
    this.setAside = wantsNewModules(path) ? this.#moveOut() : undefined;
  }

  /** Takes the project's own modules, which an earlier file has loaded, out of the registries. */
  #moveOut() {
    return this.#registries().map((registry) => {
      const own = [...registry].filter(([key]) => !packagesStay(key));
      for (const [key] of own) registry.delete(key);
      return own;
    });
  }

  #registries() {
    return [this.registries.esModuleRegistry, this.registries.moduleRegistry];
  }

  teardown() {
    const { global, isShared } = this._environment;
    if (!isShared) return super.teardown();
    this.restoreAllMocks();
    this.mockState.clear();
    this.testMainModule.reset();
    this.loggedReferenceErrors.clear();
    const { registries } = this;
    registries.exitIsolated();
    registries.mockRegistry.clear();
    registries.moduleMockRegistry.clear();
    const stays = this.setAside ? packagesStay : allButTestsStay;
    for (const [index, registry] of this.#registries().entries()) {
      for (const key of [...registry.keys()]) if (!stays(key)) registry.delete(key);
      for (const [key, module] of this.setAside?.[index] ?? []) registry.set(key, module);
    }
    for (const key of [...registries.internalModuleRegistry.keys()])
      if (CIRCUS.test(key)) registries.internalModuleRegistry.delete(key);
    for (const symbol of Object.getOwnPropertySymbols(global))
      if (OF_CIRCUS.test(symbol.description ?? '')) delete global[symbol];
  }
}
