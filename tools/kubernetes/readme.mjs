/**
 * The tables of deploy/kubernetes/README.md, and of other documents.
 *
 * @typedef {{ head: string[], rows: string[][] }} Table
 */

/** All tables of a Markdown text. @param {string} text @returns {Table[]} */
export function tablesOf(text) {
  const tables = [];
  let lines = [];
  for (const line of [...text.split('\n').map((one) => one.trim()), '']) {
    if (line.startsWith('|')) lines.push(line);
    else if (lines.length > 0) {
      const [head, , ...rows] = lines.map(cellsOf);
      tables.push({ head, rows });
      lines = [];
    }
  }
  return tables;
}

const cellsOf = (line) =>
  line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

/** The table whose head begins with these cells. Throws if there is none. @param {string} text @param {string[]} head */
export function tableOf(text, ...head) {
  const found = tablesOf(text).find((table) => head.every((cell, place) => table.head[place] === cell));
  if (!found) throw new Error(`there is no table that begins with ${head.join(' | ')}`);
  return found;
}

/**
 * The connections of all tables `from | to`, as `gateway → posts:50051`. A cell is a list: of names, and of names with a port.
 *
 * @param {string} text of the README
 */
export function connectionsOf(text) {
  const tables = tablesOf(text).filter(({ head }) => head[0] === 'from' && head[1] === 'to');
  return tables
    .flatMap(({ rows }) => rows)
    .flatMap(([froms, tos]) =>
      listOf(froms).flatMap((from) => listOf(tos).map((to) => `${from} → ${to.replace(/ (\d+)$/, ':$1')}`)),
    );
}

const listOf = (cell) =>
  cell
    .replaceAll('`', '')
    .split(',')
    .map((item) => item.trim());

/**
 * The keys of what production has made before, by the kind and the name of the object.
 *
 * @param {string} text of the README
 * @returns {{ Secret: Record<string, string[]>, ConfigMap: Record<string, string[]> }}
 */
export function madeBefore(text) {
  const namesIn = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  const shared = namesIn(/All services have (.*)/.exec(text)?.[1] ?? '');
  const made = { Secret: {}, ConfigMap: {} };
  for (const [name, keys] of tableOf(text, 'Secret', 'keys').rows) {
    const [, own, map] = /^`?([\w-]+)`?(, a ConfigMap)?$/.exec(name) ?? [];
    if (own === undefined) throw new Error(`"${name}" is not the name of a Secret`);
    made[map ? 'ConfigMap' : 'Secret'][own] = [
      ...namesIn(keys),
      ...(/\ball services\b/.test(keys) ? shared : []),
    ];
  }
  return made;
}
