import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './prepare.mjs';

/**
 * `node tools/citations.mjs [folder]`: checks that every citation of a rule (docs/product, docs/http-api.md) names an
 * existing rule, that ids are unique, and that each rule is cited by a test and by production code, or listed in
 * docs/product/not-built.md as not built. A rule of which only a part is missing is listed with that part, and cited.
 * Prints one line per failure, and then ends with code 1.
 */

const NOT_BUILT = 'docs/product/not-built.md';
const RULE_PAGE = /^docs\/(?:product\/[^/]+|http-api)\.md$/;
const TEST = /\.(?:spec|e2e|journey)\.tsx?$/;
/** What runs in production; contracts included. */
const PRODUCTION = /^(?:services|gateway|frontend|deploy|proto)\/(?!.*\/(?:test|testing)\/)/;
const READ = /\.(?:[cm]?[jt]sx?|proto|css|html|json|md|sh|ya?ml)$/;
const GENERATED = new Set(['node_modules', 'dist', 'gen', 'coverage', 'package-lock.json', 'schema.d.ts']);

/** This check and its test, which contain the forbidden texts. */
const OWN = /(?:^tools|\/support)\/citations\./;

/** Documents that are not in the repository, so readers cannot look up a citation of them. */
const PAPERS =
  /\b(?:product|design|decisions)\.md\b|(?<![\w/]|\]\()http-api\.md\b|\bdecisions? \d+|(?<!RFC \d+,? )\bsections? \d+|\bof the specification\b/gi;

/** The content of every text file below `folder`, by its relative path. */
function read(folder) {
  const texts = new Map();
  const enter = (path) => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const inner = join(path, entry.name);
      if (GENERATED.has(entry.name) || (entry.name.startsWith('.') && entry.name !== '.github')) continue;
      if (entry.isDirectory()) enter(inner);
      else if (entry.isFile() && READ.test(entry.name)) {
        texts.set(relative(folder, inner).replaceAll('\\', '/'), readFileSync(inner, 'utf8'));
      }
    }
  };
  enter(folder);
  return texts;
}

/** The rules, by id, with the page that defines them; problems go to `failures`. */
function readRules(texts, failures) {
  const rules = new Map();
  for (const [path, text] of texts) {
    if (!RULE_PAGE.test(path) || path === NOT_BUILT) continue;
    for (const [, id] of text.matchAll(/^- \*\*([A-Z]+-\d+)\*\*/gm)) {
      if (rules.has(id)) failures.push(`${path}: ${id} is defined in ${rules.get(id)}, too.`);
      else rules.set(id, path);
    }
  }
  return rules;
}

/** The ids of docs/product/not-built.md: rules that are not built, and, after the heading "In part", those of which a part is not. */
function readNotBuilt(text, failures) {
  const [whole, inPart = ''] = text.split(/^## In part$/m);
  const listed = new Set();
  const idsOf = (lines) => {
    const ids = new Set();
    for (const [line] of lines.matchAll(/^- .*$/gm)) {
      const id = /^- ([A-Z]+-\d+): \S/.exec(line)?.[1];
      if (id === undefined)
        failures.push(`${NOT_BUILT}: a line must read "- RULE-1: what is missing": ${line}`);
      else if (listed.has(id)) failures.push(`${NOT_BUILT}: ${id} is listed twice.`);
      else ids.add(id);
      listed.add(id);
    }
    return ids;
  };
  return { notBuilt: idsOf(whole), inPart: idsOf(inPart) };
}

const placeOf = (path, text, index) => `${path}:${text.slice(0, index).split('\n').length}`;

function check(folder) {
  const failures = [];
  const texts = read(folder);
  const rules = readRules(texts, failures);
  const { notBuilt, inPart } = readNotBuilt(texts.get(NOT_BUILT) ?? '', failures);
  for (const id of [...notBuilt, ...inPart])
    if (!rules.has(id)) failures.push(`${NOT_BUILT}: there is no rule ${id}.`);
  if (rules.size === 0) failures.push('docs/product has no rules.');

  const prefixes = [...new Set([...rules.keys()].map((id) => id.replace(/-\d+$/, '')))];
  const citation = new RegExp(String.raw`(?<![\w-])(?:${prefixes.join('|')})-\d+(?![\w-])`, 'g');
  const tested = new Map();
  const implemented = new Set();
  let citations = 0;
  for (const [path, text] of texts) {
    if (OWN.test(path)) continue;
    for (const { 0: id, index } of text.matchAll(citation)) {
      const isDefinition = RULE_PAGE.test(path) && text.startsWith('**', index - 2);
      if (isDefinition || path === NOT_BUILT) continue;
      citations += 1;
      if (!rules.has(id)) failures.push(`${placeOf(path, text, index)}: there is no rule ${id}.`);
      else if (TEST.test(path)) {
        if (!tested.has(id)) tested.set(id, placeOf(path, text, index));
      } else if (PRODUCTION.test(path)) implemented.add(id);
    }
    if (RULE_PAGE.test(path)) continue;
    for (const { 0: paper, index } of text.matchAll(PAPERS)) {
      failures.push(
        `${placeOf(path, text, index)}: "${paper}" is not in the repository; cite a rule of docs/product.`,
      );
    }
  }

  for (const [id, path] of rules) {
    const test = tested.get(id);
    if (test && notBuilt.has(id))
      failures.push(`${test}: tests ${id}, which ${NOT_BUILT} lists; remove it there.`);
    if (!test && !notBuilt.has(id))
      failures.push(`${path}: no test cites ${id}; add "// Rule: ${id}" to one, or list it in ${NOT_BUILT}.`);
    if (!implemented.has(id) && !notBuilt.has(id))
      failures.push(
        `${path}: no production code cites ${id}; cite it where it is implemented, or list it in ${NOT_BUILT}.`,
      );
  }
  return { failures, rules: rules.size, notBuilt: notBuilt.size, inPart: inPart.size, citations };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { failures, rules, notBuilt, inPart, citations } = check(process.argv[2] ?? root);
  for (const failure of failures) console.error(failure);
  console.log(
    `${rules} rules, ${notBuilt} of them not built, ${inPart} in part, ${citations} citations, ${failures.length} wrong`,
  );
  if (failures.length > 0) process.exitCode = 1;
}
