import { expect } from '@jest/globals';
import type { TestGateway } from './start-test-gateway.js';

/** A JSON Schema of the document. */
export interface Schema {
  $ref?: string;
  const?: unknown;
  maxLength?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  oneOf?: Schema[];
  type?: string | string[];
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  examples?: unknown[];
}

interface Operation {
  operationId: string;
  security: Record<string, unknown[]>[];
  parameters: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Answer>;
}

interface Answer {
  content?: Record<string, { schema: Schema }>;
  headers?: Record<string, { $ref: string }>;
}

/** The parts of an OpenAPI document that suites read. */
export interface Document {
  openapi: string;
  info: { description: string };
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    headers: Record<string, object>;
    responses: Record<string, Answer>;
  };
}

/** The document as the gateway gives it. */
export async function documentOf(gateway: TestGateway): Promise<Document> {
  return (await (await gateway.call('GET', '/api/openapi.json', { token: null })).json()) as Document;
}

/** Every call that the document has; the method in capitals. */
export const operationsOf = (document: Document) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );

/** Compares a value with its schema, following names, and fails on what does not fit. `at` names the value. */
export function checkBy(document: Document, value: unknown, schema: Schema, at: string): void {
  const check = (part: unknown, of: Schema, place: string) => checkBy(document, part, of, place);
  if (schema.$ref) return check(value, document.components.schemas[schema.$ref.split('/').at(-1)!]!, at);
  if (schema.anyOf) {
    const chosen = schema.anyOf.find(({ type }) => (type === 'null') === (value === null));
    expect([at, chosen]).toEqual([at, expect.anything()]);
    return check(value, chosen!, at);
  }
  if (schema.oneOf) {
    const { type } = value as { type: unknown };
    return check(
      value,
      schema.oneOf.find(({ properties }) => properties?.type?.const === type)!,
      at,
    );
  }
  const actual = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const types = [schema.type ?? actual].flat().map((type) => (type === 'integer' ? 'number' : type));
  expect([at, types]).toEqual([at, expect.arrayContaining([actual])]);
  if (schema.enum) expect(schema.enum).toContain(value);
  if (actual === 'array')
    (value as unknown[]).forEach((item, index) => check(item, schema.items!, `${at}.${index}`));
  if (actual !== 'object') return;
  const fields = value as Record<string, unknown>;
  expect([at, Object.keys(fields)]).toEqual([at, expect.arrayContaining(schema.required ?? [])]);
  for (const [name, field] of Object.entries(fields)) {
    // An object without named fields is a map.
    const own = schema.properties ? schema.properties[name] : schema.additionalProperties;
    expect([`${at}.${name}`, own]).toEqual([`${at}.${name}`, expect.anything()]);
    check(field, own!, `${at}.${name}`);
  }
}
