import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runOrFail } from '../child-process.mjs';

const COPY_DEPENDENCIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const DOWNLOAD_LIMIT_MS = 300_000;

let last = Promise.resolve();

/** The engines that run on Java. @typedef {'Kafka' | 'S3'} JavaEngine */
/** @type {JavaEngine[]} */
export const JAVA_ENGINES = ['Kafka', 'S3'];

/**
 * The folder of the jars of an engine, which its POM lists and Maven downloads on first use into the user's cache. One download
 * follows the other: two Mavens with an empty cache would write the same files.
 *
 * @param {JavaEngine} name
 * @returns {Promise<string>}
 */
export function jarsOf(name) {
  const jars = last.then(() => download(name, join(import.meta.dirname, `${name.toLowerCase()}.pom.xml`)));
  last = jars.catch(() => undefined);
  return jars;
}

async function download(name, pom) {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'pulso');
  const list = createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 12);
  const folder = join(cache, `${name.toLowerCase()}-${list}`);
  if (existsSync(folder)) return folder;
  // Downloaded into another folder and then renamed, so that an interrupted download does not look complete.
  const staging = `${folder}.${process.pid}`;
  mkdirSync(staging, { recursive: true });
  const args = [
    '-B',
    '-q',
    '-f',
    pom,
    COPY_DEPENDENCIES,
    '-DincludeScope=runtime',
    `-DoutputDirectory=${staging}`,
  ];
  try {
    console.log(`Downloading ${name} …`);
    await twice(() => runOrFail('mvn', args, { limitMs: DOWNLOAD_LIMIT_MS }));
    renameSync(staging, folder);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    // Another process may have been faster.
    if (existsSync(folder)) return folder;
    throw new Error(`${name} could not be downloaded by Maven: ${error.message}`, { cause: error });
  }
  return folder;
}

/** A registry may fail once. */
async function twice(work) {
  try {
    await work();
  } catch (error) {
    console.error(`${error.message}. Trying once more.`);
    await work();
  }
}
