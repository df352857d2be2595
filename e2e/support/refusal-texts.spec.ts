import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MAX_REPORTED_ERRORS, VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { REFUSAL_TEXTS } from '@pulso/contracts/refusal-texts';
import { SERVICE_NAMES } from '@pulso/contracts/rpc';
import { isText, withoutText } from '../../gateway/test/support/refusal-texts.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Texts of whole problems, whose `code` is theirs alone, and of what has become of a video. */
const OF_PROBLEMS = [
  VALIDATION_MESSAGES.imageKind,
  VALIDATION_MESSAGES.imageTooLarge,
  VALIDATION_MESSAGES.quotaExceeded,
  VALIDATION_MESSAGES.videoKind,
  VALIDATION_MESSAGES.videoTooLarge,
  VALIDATION_MESSAGES.videoNotPrepared,
  VALIDATION_MESSAGES.videoMetadata,
  VALIDATION_MESSAGES.videoThumbnail,
] as const;

const allTexts = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') return [(value as (given: unknown) => string)(MAX_REPORTED_ERRORS)];
  return Object.values(value as object).flatMap(allTexts);
};

/** Refusals whose path, code and text stand as words in the sources: in one object, or as the arguments of a call. */
const WRITTEN = [
  /path: '(?<path>[^']*)',\s*code: '(?<code>[a-z-]+)',\s*message: '(?<message>[^']*)'/g,
  /path: '(?<path>[^']*)',\s*message: '(?<message>[^']*)',\s*code: '(?<code>[a-z-]+)'/g,
  /\.(?:add|reject)\('(?<path>[^']*)', '(?<code>[a-z-]+)', '(?<message>[^']*)'/g,
];

const sourcesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => join(folder, file));

// Rule: HTTP-14
describe('the catalogue of the texts of refused fields', () => {
  it('has each text of the contracts', () => {
    const { required, ...others } = VALIDATION_MESSAGES;
    const given = [required('field'), ...allTexts(others)];
    const known = allTexts(REFUSAL_TEXTS);
    const missing = given.filter((message) => !known.some((text) => isText(text, message)));
    expect(missing.sort()).toEqual([...OF_PROBLEMS].sort());
  });

  it('has each text that stands in the sources of gateway and services, for its code and path', () => {
    const written = ['gateway', ...SERVICE_NAMES.map((name) => `services/${name}`), 'services/platform']
      .flatMap((folder) => sourcesOf(join(root, folder, 'src')))
      .map((file) => readFileSync(file, 'utf8'))
      .flatMap((source) => WRITTEN.flatMap((pattern) => [...source.matchAll(pattern)]))
      .map(({ groups }) => groups as { path: string; code: string; message: string });
    expect(written.length).toBeGreaterThan(5);
    expect(withoutText(written)).toEqual([]);
  });
});
