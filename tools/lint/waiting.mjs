/**
 * Two rules for tests, as a plugin of oxlint: a test waits by `until`, which has a limit and says what was missing, and
 * asserts no time, processor time or heap, which differ from machine to machine (CONTRIBUTING.md, "Wait").
 */

/** Functions that only pass time. */
const PAUSES = new Set([
  'delay',
  'sleep',
  'pause',
  'setTimeout',
  'setImmediate',
  'nextTurn',
  'nextTick',
  'wait',
]);
/** Calls whose results are times, processor time or bytes in use, by their last name. */
const MEASURES = new Set([
  'cpuUsage',
  'hrtime',
  'memoryUsage',
  'getHeapStatistics',
  'usedHeap',
  'resourceUsage',
]);
const CLOCKS = new Set(['performance.now', 'Date.now']);

const isFunction = ({ type }) => /Function/.test(type);
const nameOf = (callee) =>
  callee.type === 'Identifier'
    ? callee.name
    : callee.type === 'MemberExpression' && !callee.computed && callee.object.type === 'Identifier'
      ? `${callee.object.name}.${callee.property.name}`
      : callee.type === 'MemberExpression' && !callee.computed
        ? callee.property.name
        : '';

/** The nodes below `node`, without those for which `enters` is false. */
function* below(node, keys, enters = () => true) {
  yield node;
  for (const key of keys[node.type] ?? []) {
    for (const child of [node[key]].flat()) {
      if (child && typeof child.type === 'string' && enters(child)) yield* below(child, keys, enters);
    }
  }
}

const passesTime = (node) =>
  node.type === 'AwaitExpression' &&
  ((node.argument.type === 'CallExpression' && PAUSES.has(nameOf(node.argument.callee).split('.').at(-1))) ||
    (node.argument.type === 'NewExpression' && node.argument.callee.name === 'Promise'));

const waitByUntil = {
  meta: { type: 'problem', docs: { description: 'A test waits by `until`' }, schema: [] },
  create(context) {
    const keys = context.sourceCode.visitorKeys;
    const check = (loop) => {
      // A function in the loop is called by something else, and is no part of the wait.
      const inside = [...below(loop, keys, (child) => !isFunction(child))];
      if (!inside.some(passesTime)) return;
      context.report({
        node: loop,
        message: 'A loop that waits has no limit and says nothing when it hangs: use until(fact, { what }).',
      });
    };
    return { WhileStatement: check, DoWhileStatement: check, ForStatement: check };
  },
};

const noTimeAssertion = {
  meta: { type: 'problem', docs: { description: 'A test asserts no time and no bytes in use' }, schema: [] },
  create(context) {
    const { sourceCode } = context;
    const keys = sourceCode.visitorKeys;
    const isMeasure = (node) => {
      if (node.type !== 'CallExpression') return false;
      const name = nameOf(node.callee);
      return MEASURES.has(name.split('.').at(-1)) || MEASURES.has(name);
    };
    /** A clock alone may be asserted, as the time of an entity, also moved by a number; a difference of two is a duration. */
    const isDuration = (node) =>
      node.type === 'BinaryExpression' &&
      node.operator === '-' &&
      node.right.type !== 'Literal' &&
      [...below(node, keys)].some(
        (part) => part.type === 'CallExpression' && CLOCKS.has(nameOf(part.callee)),
      );
    const measures = (node, seen = new Set()) =>
      [...below(node, keys, (child) => !isFunction(child))].some((part) => {
        if (isMeasure(part) || isDuration(part)) return true;
        if (part.type !== 'Identifier' || seen.has(part.name)) return false;
        seen.add(part.name);
        const from = initializerOf(sourceCode, part);
        return from !== undefined && measures(from, seen);
      });
    return {
      CallExpression(node) {
        if (node.callee.type !== 'Identifier' || node.callee.name !== 'expect' || node.arguments.length === 0)
          return;
        if (!measures(node.arguments[0])) return;
        context.report({
          node,
          message:
            'Machines differ: assert a count, a size, an order or a fact, and measure in npm run bench.',
        });
      },
    };
  },
};

/** What the variable of an identifier is initialised with. */
function initializerOf(sourceCode, identifier) {
  for (let scope = sourceCode.getScope(identifier); scope; scope = scope.upper) {
    const variable = scope.set.get(identifier.name);
    if (!variable) continue;
    const [definition] = variable.defs;
    return definition?.type === 'Variable' ? (definition.node.init ?? undefined) : undefined;
  }
  return undefined;
}

export default {
  meta: { name: 'pulso' },
  rules: { 'wait-by-until': waitByUntil, 'no-time-assertion': noTimeAssertion },
};
