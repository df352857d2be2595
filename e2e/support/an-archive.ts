import { canonicalJson } from '@pulso/gateway/http/idempotency-key';
import type { ApiClient } from './api-client.js';

/** The part of an export that the suites read (ADR 21). */
export interface Exported {
  userId: string;
  complete: boolean;
  services: Record<string, Record<string, Row[]>>;
}

export type Row = Record<string, unknown> & { id?: string };

/** The document of `GET /api/me/export`. Throws unless it is whole. */
export async function exportOf(client: ApiClient): Promise<Exported> {
  const { status, body } = await client.get<Exported & object>('/api/me/export');
  if (status !== 200 || !body.complete) throw new Error(`Export: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** The rows of a section, none where it is missing. */
export const rowsOf = ({ services }: Exported, service: string, section: string): Row[] =>
  services[service]?.[section] ?? [];

/** What `portable` compares. */
const COMPARED: ReadonlySet<string> = new Set([
  'identity.account',
  'posts.posts',
  'posts.comments',
  'media.files',
]);
const OF_PROFILE = ['name', 'bio', 'isCoach', 'specialties'];

/** A part of the document that an import does not bring along, and why. */
const NOT_BROUGHT: Readonly<Record<string, string>> = {
  'identity.*': 'but the profile, the account, its sessions and settings are those of the other Pulso',
  'billing.*': 'payments and prices: nobody can bring them along',
  'messaging.*': 'messages, notifications and mails are of two people',
  'social.*': 'follows, blocks and reviews are acts on others, or of others',
  'posts.likes': 'acts on what others have written, and on ids that are others here',
  'posts.imports': 'says itself that there was an import',
  'media.videos': 'encoded anew',
  'media.uploads': 'what was not finished',
  'media.archives': 'of this Pulso',
};

/** Fields of a row that an import does not keep, and why. Ids are compared by what they name. */
const FORGIVEN: Readonly<Record<string, string>> = {
  importedAt: 'says itself that there was an import',
  likeCount: 'likes are acts of others',
  commentCount: 'comments of others stay behind',
  mentionedIds: 'names lead to others here',
  hiddenAt: 'what moderators hide is not imported',
  hiddenReason: 'the same',
};

/** Fields of media's facts about a picture that follow from its bytes, which every Pulso encodes anew. */
const ENCODED = ['id', 'bytes', 'blurhash'];

/**
 * What an import must bring along, in a form in which the documents of both accounts are equal: ids by what they name, times, texts and
 * order as they are. Of comments, those on own posts.
 */
export function portable(exported: Exported): Record<string, unknown> {
  const posts = rowsOf(exported, 'posts', 'posts');
  const nameOf = new Map(
    posts.map(({ id, createdAt, content }) => [id, `${String(createdAt)} ${String(content)}`]),
  );
  const sections = Object.entries(exported.services).flatMap(([service, ofService]) =>
    Object.entries(ofService).map(([section, rows]) => [service, section, rows] as const),
  );
  const unknown = sections
    .map(([service, section]) => [`${service}.*`, `${service}.${section}`] as const)
    .filter((names) => !names.some((name) => name in NOT_BROUGHT || COMPARED.has(name)))
    .map(([, name]) => name);
  const [account = {}] = rowsOf(exported, 'identity', 'account');
  return {
    profile: Object.fromEntries(OF_PROFILE.map((name) => [name, account[name]])),
    // A section that somebody adds is compared, or has a reason here.
    unknown,
    posts: sorted(posts.map((row) => without(row, ['id', ...Object.keys(FORGIVEN)]))),
    comments: sorted(
      rowsOf(exported, 'posts', 'comments')
        .filter(({ postId }) => nameOf.has(postId as string))
        .map((row) => ({
          ...without(row, ['id', ...Object.keys(FORGIVEN)]),
          postId: nameOf.get(row['postId'] as string),
        })),
    ),
    files: rowsOf(exported, 'media', 'files').filter(({ purpose }) => purpose === 'post').length,
  };
}

function without(row: Row, names: readonly string[]): Row {
  const kept = Object.entries(row).filter(([name]) => !names.includes(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      name === 'images' ? (value as Row[]).map((image) => without(image, ENCODED)) : value,
    ]),
  );
}

/** By their texts: posts of the same millisecond may come in another order. */
const sorted = (rows: readonly Row[]): string[] => rows.map(canonicalJson).sort();
