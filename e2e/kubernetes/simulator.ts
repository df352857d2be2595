import type { Forward } from './cluster.js';

/** Where a page of the simulator has led: to another address, or nowhere. */
interface Shown {
  /** The text of the page; empty where it leads elsewhere. */
  page: string;
  /** Empty where it is a page. */
  leadsTo: string;
}

/** Of what the simulator's controls say. */
interface State {
  /** Events that the webhook has not taken yet. */
  undelivered: number;
}

/** The simulator of Stripe as a browser and as the page of its controls see it, through a forwarded port. */
export class Simulator {
  constructor(private readonly forward: Forward) {}

  /** Opens a page. @param address as Pulso or the simulator names it, whatever its port is */
  open(address: string): Promise<Shown> {
    return this.ask(address, {});
  }

  /** Opens a page and what it leads to, as long as that is the simulator's own. @returns the address of the last one */
  async follow(address: string): Promise<string> {
    const { leadsTo } = await this.open(address);
    return leadsTo.startsWith('/') ? this.follow(leadsTo) : leadsTo || address;
  }

  /** Sends the form of a page. */
  submit(address: string, fields: Record<string, string>): Promise<Shown> {
    return this.ask(address, { method: 'POST', body: new URLSearchParams(fields) });
  }

  async turnClock(ms: number): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    await this.ask('/_control/api/clock', { method: 'POST', headers, body: JSON.stringify({ ms }) });
  }

  async undelivered(): Promise<number> {
    const { page } = await this.open('/_control/api/state');
    return (JSON.parse(page) as State).undelivered;
  }

  private async ask(address: string, init: RequestInit): Promise<Shown> {
    const { pathname, search } = new URL(address, this.forward.url);
    const signal = AbortSignal.timeout(15_000);
    const answer = await fetch(this.forward.url + pathname + search, { redirect: 'manual', signal, ...init });
    const page = await answer.text();
    if (answer.status === 303) return { page: '', leadsTo: answer.headers.get('location')! };
    if (!answer.ok) throw new Error(`${pathname} of the simulator: ${answer.status} ${page.slice(0, 300)}`);
    return { page, leadsTo: '' };
  }
}
