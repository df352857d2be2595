import { z } from 'zod';
import { answers, bodies, examples } from '../validation/named-schemas.js';

type JsonSchema = Record<string, unknown>;

const uri = (id: string) => `#/components/schemas/${id}`;

/** All named schemas as OpenAPI 3.1 (JSON Schema 2020-12): answers as they are sent, bodies as they are accepted. */
export function componentSchemas(): Record<string, JsonSchema> {
  const sent = z.toJSONSchema(answers, { uri, io: 'output' }).schemas;
  const accepted = z.toJSONSchema(bodies, { uri, io: 'input' }).schemas;
  const all = Object.entries({ ...accepted, ...sent }).map(([name, schema]) => {
    const { $schema: _dialect, $id: _id, ...rest } = schema as JsonSchema;
    const example = examples.has(name) ? { examples: [examples.get(name)] } : {};
    return [name, { ...(simplifySchema(rest) as JsonSchema), ...example }] as const;
  });
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `anyOf [X, null]` of a plain X becomes a list of types, and zod's bounds of safe integers go. */
export function simplifySchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(simplifySchema);
  if (typeof node !== 'object' || node === null) return node;
  const schema = Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, simplifySchema(value)]),
  );
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if ('default' in schema && typeof schema.default !== 'object') {
    // Client generators make a field with a default required, which is wrong in a request.
    schema.description = `Default: \`${String(schema.default)}\``;
    delete schema.default;
  }
  return nullable(schema) ?? schema;
}

function nullable(schema: JsonSchema): JsonSchema | undefined {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return undefined;
  const [value, other] = anyOf as [JsonSchema, JsonSchema];
  if (other.type !== 'null' || typeof value.type !== 'string') return undefined;
  const choices = Array.isArray(value.enum) ? { enum: [...(value.enum as unknown[]), null] } : {};
  return { ...value, ...rest, type: [value.type, 'null'], ...choices };
}
