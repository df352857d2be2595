import { invalid } from './stripe-error.js';

/** Decoded parameters: texts, lists and objects. */
type Decoded = string | Decoded[] | { [name: string]: Decoded };

interface Node {
  value?: string;
  list: Node[];
  fields: Map<string, Node>;
}

const newNode = (): Node => ({ list: [], fields: new Map() });

/**
 * Decodes parameters as Stripe writes them: `items[0][price]=p&metadata[a]=b&expand[]=c`. Throws a StripeError where a
 * name is malformed or stands for two things.
 */
export function decodeForm(text: string): Record<string, Decoded> {
  const root = newNode();
  for (const [name, value] of new URLSearchParams(text)) {
    let node = root;
    const path = pathOf(name);
    for (const part of path) node = child(node, part);
    if (node.value !== undefined) throw invalid(`Received ${name} twice`, { param: name });
    node.value = value;
  }
  return fieldsOf(root, '');
}

function pathOf(name: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  if (!match) throw invalid(`Invalid name of a parameter: ${name}`, { param: name });
  return [match[1]!, ...[...match[2]!.matchAll(/\[([^[\]]*)\]/g)].map(([, part]) => part!)];
}

function child(node: Node, part: string): Node {
  if (part === '') {
    const next = newNode();
    node.list.push(next);
    return next;
  }
  let next = node.fields.get(part);
  if (!next) node.fields.set(part, (next = newNode()));
  return next;
}

function plain(node: Node, name: string): Decoded {
  const kinds = [node.value !== undefined, node.list.length > 0, node.fields.size > 0].filter(Boolean);
  if (kinds.length > 1) throw invalid(`Received ${name} as a value and as an object`, { param: name });
  if (node.value !== undefined) return node.value;
  if (node.list.length > 0) return node.list.map((item, index) => plain(item, `${name}[${index}]`));
  const keys = [...node.fields.keys()];
  if (keys.every((key) => /^\d+$/.test(key)))
    return keys
      .sort((one, other) => Number(one) - Number(other))
      .map((key) => plain(node.fields.get(key)!, `${name}[${key}]`));
  return fieldsOf(node, name);
}

function fieldsOf(node: Node, name: string): Record<string, Decoded> {
  return Object.fromEntries(
    [...node.fields].map(([key, inner]) => [key, plain(inner, name ? `${name}[${key}]` : key)]),
  );
}
