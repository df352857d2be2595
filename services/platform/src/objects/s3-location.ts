import { z } from 'zod';

/** A bucket and how to reach it. */
export interface S3Location {
  host: string;
  /** Undefined for that of the scheme. */
  port: number | undefined;
  useTls: boolean;
  accessKey: string;
  secretKey: string;
  bucket: string;
  region: string;
  /** Whether the bucket is the first part of the path; otherwise it stands before the host's name. */
  pathStyle: boolean;
  /** The URL as it was given, for messages, which hide its secrets. */
  url: string;
}

const REGION = 'us-east-1';
/** Lower-case letters, digits and dashes; a dot would need a certificate of its own. */
const BUCKET = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;
const OPTIONS = ['region', 'style'];

/**
 * The setting of a bucket: `https://<key>:<secret>@<host>[:<port>]/<bucket>`, `http://` without TLS. Key and secret are
 * percent-encoded. `?region=…` (us-east-1) is the bucket's; `style=virtual` puts its name before the host's, which is
 * always so at Amazon, and `style=path`, the default, into the path. The messages hold no part of the value.
 */
export const s3Location = z.string().transform((text, context): S3Location => {
  const wrong = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) return wrong('must be an http:// or https:// URL');
  const [accessKey, secretKey] = [unescaped(url.username), unescaped(url.password)];
  if (!accessKey || !secretKey) return wrong('must name a key and a secret, https://<key>:<secret>@…');
  const bucket = url.pathname.replace(/^\/|\/$/g, '');
  if (!BUCKET.test(bucket))
    return wrong('must end with the name of a bucket: 3 to 63 lower-case letters, digits and dashes');
  const unknown = [...url.searchParams.keys()].some((name) => !OPTIONS.includes(name));
  const style = url.searchParams.get('style') ?? 'path';
  if (unknown || !['path', 'virtual'].includes(style))
    return wrong('may have the options region=<region> and style=path or style=virtual alone');
  return {
    ...{ accessKey, secretKey, bucket, url: text },
    // An IPv6 address is in brackets there.
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port ? Number(url.port) : undefined,
    useTls: url.protocol === 'https:',
    region: url.searchParams.get('region') || REGION,
    pathStyle: style === 'path',
  };
});

/** Undefined if it is not percent-encoded. */
function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
