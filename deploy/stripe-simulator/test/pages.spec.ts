import { aCheckout, aReadyAccount, aSubscription, start, type Started } from './support/start.js';

const BANNER = 'No money is taken';

/** What a browser sees: a page or where it is sent. */
async function visit(url: string, form?: Record<string, string>, headers: Record<string, string> = {}) {
  const answer = await fetch(url, {
    redirect: 'manual',
    ...(form && {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(form).toString(),
    }),
  });
  return { status: answer.status, to: answer.headers.get('location'), text: await answer.text() };
}

const card = (number: string) => ({ card: number, expiry: '12 / 34', cvc: '123' });

describe('the checkout page', () => {
  const open = async () => {
    const started = await start();
    const session = await aCheckout(started);
    const read = () => started.stripe.checkout.sessions.retrieve(session.id);
    return { started, session, url: session.url!, read };
  };

  it('shows what is paid, and leads back', async () => {
    const { url } = await open();
    const { status, text } = await visit(url);
    expect(status).toBe(200);
    for (const words of [BANNER, 'Coach Carla', 'MX$400.00', 'per month', 'checkout=cancelled'])
      expect(text).toContain(words);
    expect((await visit(`${url}?card=4000000000000002`)).text).toContain('value="4000 0000 0000 0002"');
  });

  it('takes a card and goes on to the success page, once', async () => {
    const { started, session, url } = await open();
    const success = `http://localhost:8080/coach?checkout=done&session=${session.id}`;
    expect(await visit(url, card('4242 4242 4242 4242'))).toMatchObject({ status: 303, to: success });
    expect(await visit(url, card('4242 4242 4242 4242'))).toMatchObject({ status: 303, to: success });
    expect(await visit(url)).toMatchObject({ to: success });
    expect((await started.stripe.charges.list()).data).toHaveLength(1);
  });

  it('says why a card is refused, and keeps what was typed as text', async () => {
    const { url, read } = await open();
    expect((await visit(url, card('4000000000000002'))).text).toContain('Your card was declined.');
    expect((await visit(url, card('4000000000009995'))).text).toContain('insufficient funds');
    const { text } = await visit(url, card('"><script>'));
    expect(text).toContain('Your card number is incorrect.');
    expect(text).not.toContain('<script>');
    expect(await read()).toMatchObject({ status: 'open' });
  });

  it('asks for 3-D Secure, which can be refused and accepted', async () => {
    const { started, session, url, read } = await open();
    const authenticate = `/c/pay/${session.id}/authenticate`;
    const bank = started.simulator.url + authenticate;
    expect(await visit(bank)).toMatchObject({ to: `/c/pay/${session.id}` });
    expect(await visit(url, card('4000002760003184'))).toMatchObject({ status: 303, to: authenticate });
    expect((await visit(bank)).text).toContain(BANNER);
    expect((await visit(bank, { answer: 'refuse' })).text).toContain('unable to authenticate');
    expect(await read()).toMatchObject({ status: 'open', subscription: null });
    await visit(url, card('4000002760003184'));
    expect((await visit(bank, { answer: 'accept' })).to).toContain('checkout=done');
    expect(await read()).toMatchObject({ status: 'complete' });
  });

  it('is closed when it has expired, and unknown otherwise', async () => {
    const { started, session, url } = await open();
    await started.stripe.checkout.sessions.expire(session.id);
    expect((await visit(url, card('4242424242424242'))).text).toContain('has expired');
    expect(await visit(`${started.simulator.url}/c/pay/cs_none`)).toMatchObject({ status: 404 });
  });

  it('takes no form of another site', async () => {
    const { url, read } = await open();
    const others: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'http://other.example' },
      { origin: 'null' },
    ];
    for (const headers of others)
      expect(await visit(url, card('4242424242424242'), headers)).toMatchObject({ status: 403 });
    expect(await read()).toMatchObject({ status: 'open' });
    expect((await visit(url, card('4242424242424242'), { origin: new URL(url).origin })).status).toBe(303);
  });
});

describe('the pages of an account', () => {
  const links = async ({ stripe }: Started, account: string) =>
    stripe.accountLinks.create({
      account,
      type: 'account_onboarding',
      refresh_url: 'http://localhost:8080/dashboard?refresh',
      return_url: 'http://localhost:8080/dashboard',
    });

  it('onboard it by a link that is good once', async () => {
    const started = await start();
    const { stripe, simulator } = started;
    const { id } = await stripe.accounts.create({
      type: 'express',
      capabilities: { transfers: { requested: true } },
    });
    const { url } = await links(started, id);
    const form = simulator.url + (await visit(url)).to!;
    expect((await visit(form)).text).toContain(BANNER);
    expect((await stripe.accounts.retrieve(id)).details_submitted).toBe(false);
    expect(await visit(url)).toMatchObject({ to: 'http://localhost:8080/dashboard?refresh' });
    expect(await visit(form, { name: 'Carla' })).toMatchObject({ to: 'http://localhost:8080/dashboard' });
    expect(await stripe.accounts.retrieve(id)).toMatchObject({
      details_submitted: true,
      payouts_enabled: true,
    });
  });

  it('refuse a link that is old', async () => {
    const started = await start();
    const { url } = await links(started, await aReadyAccount(started));
    started.simulator.controls.advance(301_000);
    expect(await visit(url)).toMatchObject({ status: 404 });
  });

  it('show what a coach has got', async () => {
    const started = await start();
    const account = await aReadyAccount(started);
    const session = await aCheckout(started, { account });
    started.simulator.controls.pay(session.id, '4242424242424242');
    const { url } = await started.stripe.accounts.createLoginLink(account);
    const { text } = await visit(url);
    expect(text).toContain('MX$360.00');
    expect(text).toContain(BANNER);
  });
});

describe('the portal', () => {
  it('cancels, resumes and changes the card', async () => {
    const started = await start();
    const { stripe } = started;
    const subscription = await aSubscription(started);
    const { url } = await stripe.billingPortal.sessions.create({
      customer: subscription.customer as string,
      return_url: 'http://localhost:8080/subscriptions',
    });
    const read = () => stripe.subscriptions.retrieve(subscription.id);
    const { text } = await visit(url);
    for (const words of [BANNER, 'Coach Carla', 'http://localhost:8080/subscriptions', 'Cancel subscription'])
      expect(text).toContain(words);
    await visit(url, { act: 'cancel', subscription: subscription.id });
    expect((await read()).cancel_at_period_end).toBe(true);
    expect((await visit(url)).text).toContain('Do not cancel');
    await visit(url, { act: 'resume', subscription: subscription.id });
    expect((await read()).cancel_at_period_end).toBe(false);
    await visit(url, card('4000000000000341'));
    expect((await visit(url)).text).toContain('ending in 0341');
    expect((await visit(url, card('4000000000000002'))).text).toContain('Your card was declined.');
    await started.receiver.seen('customer.subscription.updated');
  });

  it("changes nothing of another customer's, and expires", async () => {
    const started = await start();
    const { stripe, simulator } = started;
    const theirs = await aSubscription(started);
    const customer = (await stripe.customers.create({})).id;
    const { url } = await stripe.billingPortal.sessions.create({ customer });
    expect((await visit(url, { act: 'cancel', subscription: theirs.id })).text).toContain('has ended');
    expect((await stripe.subscriptions.retrieve(theirs.id)).cancel_at_period_end).toBe(false);
    simulator.controls.advance(3_600_000);
    expect(await visit(url)).toMatchObject({ status: 404 });
  });
});

describe('the page of controls', () => {
  it('turns the clock, adds rules, makes accounts ready and sends events again', async () => {
    const started = await start();
    const { simulator, stripe } = started;
    const subscription = await aSubscription(started);
    const { id: account } = await stripe.accounts.create({
      type: 'express',
      capabilities: { transfers: { requested: true } },
    });
    const url = `${simulator.url}/_control`;
    const { text } = await visit(url);
    for (const words of [BANNER, subscription.id, account, 'invoice.paid']) expect(text).toContain(words);
    const before = simulator.controls.state().now;
    await visit(url, { act: 'clock', days: '1' });
    expect(simulator.controls.state().now).toBeGreaterThanOrEqual(before + 86_400);
    await visit(url, { act: 'fault', kind: 'status', count: '2', status: '503', path: '/v1/refunds' });
    await visit(url, { act: 'webhook', kind: 'drop', count: '1', type: '' });
    expect(simulator.controls.state()).toMatchObject({
      faults: [{ status: 503, count: 2, path: '/v1/refunds' }],
      webhookRules: [{ kind: 'drop' }],
    });
    await visit(url, { act: 'clear' });
    expect(simulator.controls.state()).toMatchObject({ faults: [], webhookRules: [] });
    await visit(url, { act: 'onboard', account, ready: 'yes' });
    expect(await stripe.accounts.retrieve(account)).toMatchObject({ payouts_enabled: true });
    await visit(url, { act: 'card', customer: subscription.customer as string, card: '4000000000000341' });
    const { data } = await stripe.events.list({ limit: 1 });
    expect(await visit(url, { act: 'resend', event: data[0]!.id })).toMatchObject({ status: 303 });
    expect((await visit(url, { act: 'dance' })).text).toContain('there is no such control');
  });

  it('names who pays, by what is known of them, and the coach', async () => {
    const started = await start();
    const { simulator, stripe } = started;
    const { id, customer: given } = await aSubscription(started);
    const customer = given as string;
    const shown = async () => (await visit(`${simulator.url}/_control`)).text;
    expect(await shown()).toContain('Coach Carla');
    await stripe.customers.update(customer, { metadata: { pulso_user: 'user-7' } });
    expect(await shown()).toContain('<code>user-7</code>');
    await stripe.customers.update(customer, { name: 'Ana <b>', email: 'ana@example.test' });
    simulator.controls.dispute(id, false);
    const text = await shown();
    expect(text.split('Ana &lt;b&gt;, ana@example.test')).toHaveLength(3);
    expect(text).not.toContain('user-7');
  });
});
