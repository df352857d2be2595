import { createHash } from 'node:crypto';
import vm from 'node:vm';

/**
 * A fixed piece of work of the kinds that suites do: compiles modules in new contexts, JSON, promises, hashes, objects that are
 * soon garbage. Prints how long its process took, as JSON: seconds of CPU, user and system, and of wall time. A change of this file makes every figure of
 * `tools/ci-budget.json` wrong: measure them again.
 */
const CONTEXTS = 24;
const FUNCTIONS = 3_000;
const DOCUMENTS = 120;
const HASHES = 600;
const PROMISES = 1_000_000;
const GARBAGE = 90;

const documents = Array.from({ length: 1_000 }, (_unused, index) => ({
  id: `user-${index}`,
  tags: ['a', 'b', 'c'].map((tag) => `${tag}${index}`),
  profile: { name: `Name of ${index}`, age: index % 90, active: index % 3 === 0 },
}));

await compileModules();
for (let round = 0; round < DOCUMENTS; round += 1) JSON.parse(JSON.stringify(documents));
const bytes = Buffer.alloc(256 * 1024, 'pulso');
for (let round = 0; round < HASHES; round += 1) createHash('sha256').update(bytes).digest('hex');
let sum = 0;
for (let index = 0; index < PROMISES; index += 1) sum += await Promise.resolve(index);
if (sum !== (PROMISES * (PROMISES - 1)) / 2) throw new Error(`The sum of ${PROMISES} promises is ${sum}`);
for (let round = 0; round < GARBAGE; round += 1) {
  const kept = new Map();
  for (let index = 0; index < 20_000; index += 1) kept.set(`key ${index}`, { index, round, list: [index] });
}
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ cpuS: (user + system) / 1_000_000, wallS: performance.now() / 1_000 }));

async function compileModules() {
  const functions = Array.from(
    { length: FUNCTIONS },
    (_unused, index) =>
      `export function f${index}({ a = ${index}, ...rest }, list) { const sum = list.map((one) => one * a); ` +
      `if (sum.length > a) return { ...rest, sum }; return \`\${a} of \${sum.join(', ')}\`; }`,
  );
  for (let count = 0; count < CONTEXTS; count += 1) {
    const context = vm.createContext({});
    // A different text each time: V8 keeps what it has compiled.
    const text = `const context = ${count};\n${functions.join('\n')}\nexport default [f0, f1, f2].map((f) => f({}, [1, 2]));`;
    const module = new vm.SourceTextModule(text, { context });
    await module.link(() => {
      throw new Error('It imports nothing');
    });
    await module.evaluate();
    if (module.namespace.default.length !== 3) throw new Error('The module has not run');
  }
}
