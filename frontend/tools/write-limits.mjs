import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes src/api/limits.ts: the lengths, counts and patterns that the forms check, read from the request bodies, parameters and answers of
 * openapi.json, so that the gateway's limits are written down once. What the settings alone need is in settings-limits.ts beside it, with how an
 * export ends, since the first scripts of other pages have limits.ts. Ends with an error when the document lacks one.
 *
 * Usage: node tools/write-limits.mjs openapi.json src/api/limits.ts
 */
const [source, target] = process.argv.slice(2);
const openapi = JSON.parse(readFileSync(source, 'utf8'));

/** Limit → where it is: operation, path inside of its body (`items` enters a list), JSON Schema keyword. */
const BODY_LIMITS = {
  nameLength: ['post /api/auth/signup', 'name', 'maxLength'],
  usernameMinLength: ['post /api/auth/signup', 'username', 'minLength'],
  usernameLength: ['post /api/auth/signup', 'username', 'maxLength'],
  usernamePattern: ['post /api/auth/signup', 'username', 'pattern'],
  emailLength: ['post /api/auth/signup', 'email', 'maxLength'],
  emailPattern: ['post /api/auth/signup', 'email', 'pattern'],
  bioLength: ['patch /api/me', 'bio', 'maxLength'],
  specialties: ['patch /api/me', 'specialties', 'maxItems'],
  specialtyLength: ['patch /api/me', 'specialties.items', 'maxLength'],
  lowestPrice: ['patch /api/me', 'subscriptionPrice', 'minimum'],
  highestPrice: ['patch /api/me', 'subscriptionPrice', 'maximum'],
  priceStep: ['patch /api/me', 'subscriptionPrice', 'multipleOf'],
  postLength: ['post /api/posts', 'content', 'maxLength'],
  postImages: ['post /api/posts', 'images', 'maxItems'],
  altLength: ['post /api/posts', 'images.items.alt', 'maxLength'],
  captionLength: ['post /api/posts', 'images.items.caption', 'maxLength'],
  imageBytes: ['post /api/media/images', 'file', 'maxLength'],
  commentLength: ['post /api/posts/{id}/comments', 'content', 'maxLength'],
  lowestRating: ['put /api/coaches/{id}/reviews/mine', 'rating', 'minimum'],
  highestRating: ['put /api/coaches/{id}/reviews/mine', 'rating', 'maximum'],
  reviewLength: ['put /api/coaches/{id}/reviews/mine', 'comment', 'maxLength'],
  messageLength: ['post /api/messages', 'content', 'maxLength'],
  reportNoteLength: ['post /api/reports', 'note', 'maxLength'],
};

/** The same for the settings. */
const SETTINGS_BODY_LIMITS = {
  importedPosts: ['post /api/me/import/posts', 'posts', 'maxItems'],
  importedComments: ['post /api/me/import/comments', 'comments', 'maxItems'],
  pendingIds: ['post /api/me/import/pending', 'posts', 'maxItems'],
};

/** Limit → operation, path inside of its answer, keyword. */
const SETTINGS_ANSWER_LIMITS = {
  passkeys: ['get /api/auth/passkeys', 'items', 'maxItems'],
};

/** Limit → operation, query parameter, keyword. */
const QUERY_LIMITS = {
  searchLength: ['get /api/coaches', 'q', 'maxLength'],
  peopleSearchLength: ['get /api/people', 'q', 'minLength'],
};

/** The schema itself where it is a reference, and the schema of the value where that may also be null. */
function resolve(schema) {
  if (schema?.$ref) {
    return resolve(
      schema.$ref
        .slice(2)
        .split('/')
        .reduce((part, key) => part?.[key], openapi),
    );
  }
  const one = schema?.allOf ?? schema?.anyOf?.filter(({ type }) => type !== 'null');
  return one?.length === 1 ? resolve(one[0]) : schema;
}

function operation(name) {
  const [method, path] = name.split(' ');
  return openapi.paths[path]?.[method];
}

function inSchema(whole, path) {
  return path
    .split('.')
    .reduce(
      (schema, key) => resolve(schema?.properties?.[key] ?? (key === 'items' ? schema?.items : undefined)),
      resolve(whole),
    );
}

function inBody(name, path) {
  const content = operation(name)?.requestBody?.content;
  return inSchema((content?.['application/json'] ?? content?.['multipart/form-data'])?.schema, path);
}

function inAnswer(name, path) {
  return inSchema(operation(name)?.responses?.['200']?.content?.['application/json']?.schema, path);
}

function inQuery(name, parameter) {
  const found = operation(name)?.parameters?.find((one) => one.in === 'query' && one.name === parameter);
  return resolve(found?.schema);
}

const missing = [];
function read(limits, find) {
  return Object.entries(limits).map(([limit, [name, path, keyword]]) => {
    const value = find(name, path)?.[keyword];
    const type = keyword === 'pattern' ? 'string' : 'number';
    if (typeof value !== type) missing.push(`${limit}: ${name} has no ${keyword} for ${path}`);
    return `  ${limit}: ${JSON.stringify(value)},`;
  });
}

/** The last field of the export, which has the same value in each. */
function endOfExport() {
  const answer = operation('get /api/me/export')?.responses?.['200']?.content?.['application/json'];
  const [name, last] = Object.entries(resolve(answer?.schema)?.properties ?? {}).at(-1) ?? [];
  if (last?.const === undefined) missing.push('the end of get /api/me/export: its last field has no const');
  return `${JSON.stringify(name)}:${JSON.stringify(last?.const)}}`;
}

const lines = [...read(BODY_LIMITS, inBody), ...read(QUERY_LIMITS, inQuery)];
const settingsLines = [...read(SETTINGS_BODY_LIMITS, inBody), ...read(SETTINGS_ANSWER_LIMITS, inAnswer)];
const exportEnd = endOfExport();
if (missing.length > 0) {
  process.stderr.write(`${source} lacks what the pages need:\n  ${missing.join('\n  ')}\n`);
  process.exit(1);
}
const moduleOf = (name, limits, more = '') =>
  `// Made from the gateway's OpenAPI by tools/write-limits.mjs. Texts are counted in code points.\nexport const ${name} = {\n${limits.join('\n')}\n} as const;\n${more}`;
const exportEndLines = `/** With which a whole export ends. */\nexport const EXPORT_END = ${JSON.stringify(exportEnd)};\n`;
writeFileSync(target, moduleOf('LIMITS', lines));
writeFileSync(
  join(dirname(target), 'settings-limits.ts'),
  moduleOf('SETTINGS_LIMITS', settingsLines, exportEndLines),
);
