import { sharesModules } from './what-stays.mjs';

/** Globals that Jest, or a module that stays, has set for good. */
const REMAIN =
  /^(describe|it|test|expect|fit|xit|xtest|xdescribe|fdescribe|(before|after)(Each|All)|console|IS_REACT_ACT_ENVIRONMENT|typeormMetadataArgsStorage|_react.*|__react.*)$/;
/** Of a page: a test may replace their methods and accessors. */
const PROTOTYPES = [
  'Node',
  'Element',
  'HTMLElement',
  'HTMLImageElement',
  'HTMLMediaElement',
  'Document',
  'Storage',
];

/**
 * Makes of an environment of Jest one that serves all files of a process, so that modules can stay (`runtime.mjs`). After each file
 * it is as it was before the first one: globals, `Math`, the clock, properties of the page's objects and prototypes, environment
 * variables.
 *
 * @param {new (...options: any[]) => any} Base
 * @param {(environment: any) => Promise<void>} [clear] puts back what else files change in this environment
 */
export function sharedEnvironment(Base, clear = async () => undefined) {
  /** The one of this process. */
  const shared = {};
  return class SharedEnvironment extends Base {
    constructor(config, context) {
      const isShared = sharesModules(context.testPath);
      if (isShared && shared.environment) return shared.environment;
      super(config, context);
      this.isShared = isShared;
      if (isShared) shared.environment = this;
    }

    /** Jest calls it for each file, after the set-up files of the first one. */
    async setup() {
      if (this.before) return;
      await super.setup();
      this.before = watchedIn(this.global).map((object) => [object, propertiesOf(object)]);
      this.variables = { ...this.global.process.env };
    }

    async teardown() {
      if (!this.isShared) return super.teardown();
      this.fakeTimersModern.useRealTimers();
      await clear(this);
      for (const [object, properties] of this.before) restore(object, properties);
      const { env } = this.global.process;
      for (const name of Object.keys(env)) if (!(name in this.variables)) delete env[name];
      Object.assign(env, this.variables);
    }
  };
}

const watchedIn = (global) =>
  [
    global,
    global.Math,
    global.document,
    global.navigator,
    global.URL,
    ...PROTOTYPES.map((name) => global[name]?.prototype),
  ].filter(Boolean);

const propertiesOf = (object) =>
  new Map(Reflect.ownKeys(object).map((key) => [key, Object.getOwnPropertyDescriptor(object, key)]));

function restore(object, properties) {
  for (const key of Reflect.ownKeys(object))
    if (typeof key === 'string' && !properties.has(key) && !REMAIN.test(key))
      Reflect.deleteProperty(object, key);
  for (const [key, before] of properties) {
    if (typeof key === 'symbol' || REMAIN.test(key) || !before?.configurable) continue;
    const now = Object.getOwnPropertyDescriptor(object, key);
    if (now?.value !== before.value || now?.get !== before.get || now?.set !== before.set)
      Reflect.defineProperty(object, key, before);
  }
}
