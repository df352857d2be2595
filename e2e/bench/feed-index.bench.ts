import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { FeedIndex } from '@pulso/posts/feed-index/feed-index';
import type { RankedPost } from '@pulso/posts/feed-index/feed-ranking';
import { Dice, uuidV7 } from '@pulso/platform/testing/seeded';
import type { ViewerView } from '@pulso/posts/feed-index/viewer-view';

const POSTS = 1_000_000;
const AUTHORS = 50_000;
const HOUR_MS = 3_600_000;
const SPAN_MS = 2 * 365 * 24 * HOUR_MS;
const AS_OF = Date.UTC(2026, 10, 20);
/** A fifth of the posts is for subscribers; one in a thousand arrives up to an hour late. */
const SUBSCRIBERS_PART = 0.2;
const LATE_PART = 0.001;
const PAGE = 20;
const VIEWERS = 100;
const ROUNDS = 20;
/** The number of pages that a patient reader loads; the last of them is the deep page. */
const DEEP_PAGES = 50;

interface Percentiles {
  p50: number;
  p99: number;
}

interface FollowFigures {
  follows: number;
  compileUs: Percentiles;
  /** The first page ever of a freshly compiled viewer. */
  coldFirstPageUs: Percentiles;
  firstPageUs: Percentiles;
  /** Page 50. */
  deepPageUs: Percentiles;
  /** Among followed posts a year old, halfway down. */
  middlePageUs: Percentiles;
  /** The first page of everyone else's posts, below all followed ones. */
  othersPageUs: Percentiles;
}

export interface FeedIndexFigures {
  posts: number;
  authors: number;
  bytesPerPost: number;
  typedArrayBytesPerPost: number;
  buildMs: number;
  slowestUpsertMs: number;
  follows: FollowFigures[];
}

function percentiles(samplesUs: number[]): Percentiles {
  const sorted = samplesUs.toSorted((a, b) => a - b);
  const at = (part: number): number => Number(sorted[Math.floor(part * (sorted.length - 1))]!.toFixed(1));
  return { p50: at(0.5), p99: at(0.99) };
}

function timeUs(work: () => void): number {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / 1000;
}

/** Heap and typed arrays in use after a full garbage collection. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let i = 0; i < 3; i++) collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** A realistic distribution of authors: some write daily, most rarely. */
function anAuthor(dice: Dice): number {
  return Math.floor(AUTHORS * dice.next() ** 2);
}

function authorId(author: number): string {
  return uuidV7(AS_OF - 2 * SPAN_MS + author, Math.imul(author, 0x9e3779b1) >>> 2, author);
}

function build(index: FeedIndex, dice: Dice): Pick<FeedIndexFigures, 'buildMs' | 'slowestUpsertMs'> {
  let slowest = 0;
  const start = performance.now();
  for (let i = 0; i < POSTS; i++) {
    const late = dice.chance(LATE_PART) ? dice.below(HOUR_MS) : 0;
    const createdAt = Math.floor(AS_OF - SPAN_MS + ((i + 1) / POSTS) * SPAN_MS) - late;
    const post = {
      id: uuidV7(createdAt, dice.below(2 ** 30), dice.below(2 ** 32)),
      authorId: authorId(anAuthor(dice)),
      relatedOnly: dice.chance(SUBSCRIBERS_PART),
    };
    const before = performance.now();
    index.upsert(post);
    slowest = Math.max(slowest, performance.now() - before);
  }
  return { buildMs: Math.round(performance.now() - start), slowestUpsertMs: Number(slowest.toFixed(1)) };
}

/** A viewer who follows `follows` random authors and subscribes to ten of them and to ten others. */
function compile(index: FeedIndex, dice: Dice, follows: number): { view: ViewerView; us: number } {
  const following = new Set<string>();
  while (following.size < follows) following.add(authorId(dice.below(AUTHORS)));
  const subscribed = [...following].slice(0, 10);
  for (let i = 0; i < 10; i++) subscribed.push(authorId(dice.below(AUTHORS)));
  const blocked = Array.from({ length: 5 }, () => authorId(dice.below(AUTHORS)));
  const graph = { viewerId: authorId(anAuthor(dice)), following, subscribed, blocked };
  let view = index.compileViewer(graph);
  const us = timeUs(() => (view = index.compileViewer(graph)));
  return { view, us };
}

/** The feed position after `DEEP_PAGES - 1` pages. */
function deepPosition(index: FeedIndex, view: ViewerView): RankedPost | undefined {
  return index.page(view, { asOf: AS_OF, limit: (DEEP_PAGES - 1) * PAGE }).next ?? undefined;
}

/**
 * Positions are values, so deep ones need no paging: among followed posts a year old, and below all followed posts.
 */
const MIDDLE: RankedPost = { score: 2000 * HOUR_MS, id: uuidV7(AS_OF - SPAN_MS / 2, 0, 0) };
const OTHERS: RankedPost = { score: 1500 * HOUR_MS, id: uuidV7(0, 0, 0) };

function measureFollows(index: FeedIndex, dice: Dice, follows: number): FollowFigures {
  const viewers = Array.from({ length: VIEWERS }, () => compile(index, dice, follows));
  const cold = viewers.map(({ view }) => timeUs(() => index.page(view, { asOf: AS_OF, limit: PAGE })));
  const pagesAfter = (place: (view: ViewerView) => RankedPost | undefined): Percentiles => {
    const places = viewers.map(({ view }) => place(view));
    const samples: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, { view }] of viewers.entries()) {
        const after = places[i];
        const us = timeUs(() => index.page(view, { asOf: AS_OF, after, limit: PAGE }));
        if (round > 0) samples.push(us);
      }
    }
    return percentiles(samples);
  };
  return {
    follows,
    compileUs: percentiles(viewers.map(({ us }) => us)),
    coldFirstPageUs: percentiles(cold),
    firstPageUs: pagesAfter(() => undefined),
    deepPageUs: pagesAfter((view) => deepPosition(index, view)),
    middlePageUs: pagesAfter(() => MIDDLE),
    othersPageUs: pagesAfter(() => OTHERS),
  };
}

/**
 * Measures only the feed index: 1 M posts; 50, 1,000 and 10,000 follows; first and deep pages; memory. Prints and
 * returns the figures.
 */
export async function runFeedIndexBench(): Promise<FeedIndexFigures> {
  const dice = new Dice(20261120);
  const before = bytesInUse();
  const index = new FeedIndex();
  const built = build(index, dice);
  const bytesPerPost = Number(((bytesInUse() - before) / index.size).toFixed(2));
  const figures: FeedIndexFigures = {
    posts: index.size,
    authors: AUTHORS,
    bytesPerPost,
    typedArrayBytesPerPost: Number((index.memoryBytes() / index.size).toFixed(2)),
    ...built,
    follows: [50, 1000, 10_000].map((follows) => measureFollows(index, dice, follows)),
  };
  const { follows, ...whole } = figures;
  console.log(whole);
  console.table(
    follows.map(({ follows: count, ...times }) => ({
      follows: count,
      ...Object.fromEntries(Object.entries(times).map(([name, { p50, p99 }]) => [name, `${p50} / ${p99}`])),
    })),
  );
  return figures;
}
