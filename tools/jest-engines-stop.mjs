export default () => globalThis.stopTestEngines();
