import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** More flaky files than this are a fault of the product or of the machine, not chance. */
export const MOST_FLAKY = 10;
/** The lines of a report, with its sum and its steps: as many as a reader sees at once. */
const MOST_LINES = 60;
const LONGEST_LINE = 240;

/**
 * What the suites and checks of a run have found. It is kept in the file that PULSO_REPORT names, if any, so that a run
 * that is killed has told what it knew (`tools/ci.mjs`).
 */
export class Report {
  passed = 0;
  /** Failed tests: `file › test: error`. */
  failures = [];
  /** Files and steps that could not run, or did not end: `what: why`. */
  broken = [];
  /** Files that failed, and passed when they ran once more alone. */
  flaky = [];
  /** Seconds of each file of tests and each check, by name. */
  times = [];
  /** Seconds of the parts of a step, in their order, by name. */
  phases = [];
  complete = false;

  /** @param {number} count */
  pass(count) {
    this.passed += count;
    this.#keep();
  }

  /** @param {string} file @param {{ test: string, error: string }} failure */
  fail(file, { test, error }) {
    this.failures.push(`${file} › ${test}: ${error}`);
    this.#keep();
  }

  /** @param {string} what a file or a step @param {string} why */
  break(what, why) {
    this.broken.push(`${what}: ${why}`);
    this.#keep();
  }

  /** @param {string} file */
  passLater(file) {
    this.flaky.push(file);
    this.#keep();
  }

  /** @param {string} name of a file or a check @param {number} seconds */
  spend(name, seconds) {
    this.times.push({ name, seconds });
    this.#keep();
  }

  /**
   * Does a part of a step, and keeps how long it took.
   *
   * @template T
   * @param {string} name @param {() => T | Promise<T>} work
   */
  async phase(name, work) {
    const started = performance.now();
    try {
      return await work();
    } finally {
      this.phases.push({ name, seconds: (performance.now() - started) / 1_000 });
      this.#keep();
    }
  }

  get failed() {
    return this.failures.length + this.broken.length;
  }

  /** Takes over what another report has found. @param {Report} other */
  add({ passed, failures, broken, flaky, times }) {
    this.times.push(...times);
    this.passed += passed;
    this.failures.push(...failures);
    this.broken.push(...broken);
    this.flaky.push(...flaky);
  }

  /** No more is found. */
  end() {
    if (this.flaky.length > MOST_FLAKY)
      this.broken.push(`Flaky files: ${this.flaky.length}, more than ${MOST_FLAKY}`);
    if (this.passed === 0 && this.failed === 0) this.broken.push('The run: no test has run');
    this.complete = true;
    this.#keep();
  }

  /** The closing lines, the sum last; `steps` are lines about the run's steps. @param {string[]} steps */
  lines(steps = []) {
    const found = [
      ...[...this.failures, ...this.broken].map((line) => `Failed: ${line}`),
      ...this.flaky.map((file) => `flaky: ${file}`),
    ].map((line) => line.replaceAll(/\s+/g, ' ').slice(0, LONGEST_LINE));
    const room = MOST_LINES - steps.length - 1;
    const shown =
      found.length <= room ? found : [...found.slice(0, room - 1), `… and ${found.length - room + 1} more`];
    return [...shown, ...steps, `${this.passed} passed, ${this.failed} failed`];
  }

  #keep() {
    if (process.env.PULSO_REPORT) writeFileSync(process.env.PULSO_REPORT, JSON.stringify(this));
  }
}

/** The report that a step has kept in a file; undefined when it has kept none. @returns {Report | undefined} */
export function readReport(file) {
  return existsSync(file) ? Object.assign(new Report(), JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}

/** Prints the closing lines and ends the process, with code 1 when anything failed. @param {Report} report */
export function endWith(report) {
  report.end();
  console.log(`\n${report.lines().join('\n')}`);
  process.exit(report.failed > 0 ? 1 : 0);
}
