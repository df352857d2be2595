import { Client } from 'minio';
import { s3Location } from '../src/objects/s3-location.js';
import { S3Objects, type S3Options } from '../src/objects/s3-objects.js';

/** A bucket of a test on the server of `server`, with what only tests do. It may be missing. */
export class TestBucket extends S3Objects {
  private readonly owner: Client;

  constructor(
    readonly server: string,
    readonly bucket: string,
    options: Partial<S3Options> = {},
  ) {
    const url = new URL(server);
    super(s3Location.parse(`${url.href}${bucket}`), options);
    const { hostname: endPoint, port, username: accessKey, password: secretKey } = url;
    this.owner = new Client({ endPoint, port: Number(port), accessKey, secretKey, useSSL: false });
  }

  /** Where a stranger would ask for it. */
  get address(): string {
    return `${new URL(this.server).origin}/${this.bucket}`;
  }

  async removeBucket(): Promise<void> {
    for await (const { key } of this.list('')) await this.remove(key);
    await this.owner.removeBucket(this.bucket);
  }
}
