/**
 * Names that no user may take, because `/{name}` is or may become a page, a file or a path of the gateway (PEOPLE-8).
 * This is the only list: add each new first path segment of the application or the gateway here.
 */
const RESERVED = new Set(
  `
  feed login signup sign-up signin sign-in logout log-in log-out register messages profile profiles dashboard
  subscriptions subscription subscribe unsubscribe coach coaches post posts notifications settings account accounts search explore
  discover users user me members member home landing welcome forgot-password reset-password change-password
  verify-email password verify confirm sessions billing payments payment checkout payouts pricing plans reviews
  reports likes comments follow followers following blocks onboarding invite invites storage export demo

  api auth oauth oidc google callback media assets static public uploads upload files file images image videos video
  avatars avatar fonts icons icon css js src dist dev docs openapi healthz readyz health ready metrics status stripe
  webhook webhooks events event badges config graphql grpc rpc ws cdn www mail email smtp ftp ssl well-known favicon
  robots sitemap manifest index service-worker sw offline rss atom

  admin administrator root system sysadmin moderator mod staff team official support help contact abuse security
  postmaster hostmaster webmaster noreply no-reply info press jobs careers blog news about legal terms privacy cookies
  imprint impressum policy guidelines safety faq app apps web mobile ios android download pulso

  null undefined nan true false none anonymous guest visitor deleted deleted-user unknown everyone all new edit delete
  create update test error errors not-found 400 401 403 404 500 503
  `
    .trim()
    .split(/\s+/),
);

/** Programs show a name that begins so as the other one that it encodes, in whatever letters. */
const ENCODED = 'xn--';

/** Whether a normalised username is nobody's; sign-up reports it as taken. */
export function isReservedUsername(username: string): boolean {
  return RESERVED.has(username) || username.startsWith(ENCODED);
}
