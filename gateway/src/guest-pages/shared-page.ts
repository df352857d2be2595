import type { FastifyReply } from 'fastify';
import type { PageDocument } from '../http/pages/page-document.js';
import type { Told } from './page-heads.js';

/** A rendered page, or what is to be said of the plain one that is sent in its place. */
export type GuestPage = { document: PageDocument } | Told;

/** A page that is made once for all who ask for it meanwhile. It ends when all of them have left. */
export class SharedPage {
  private waiting = 0;
  private isMade = false;

  /** `page` never rejects; `end` stops the work on it. */
  constructor(
    private readonly page: Promise<GuestPage>,
    private readonly end: () => void,
  ) {
    void page.then(() => (this.isMade = true));
  }

  /** The page, for the client of `reply`. */
  for({ raw }: FastifyReply): Promise<GuestPage> {
    this.waiting += 1;
    const leave = () => {
      this.waiting -= 1;
      if (this.waiting === 0 && !this.isMade) this.end();
    };
    if (raw.destroyed) leave();
    else raw.once('close', leave);
    return this.page;
  }
}
