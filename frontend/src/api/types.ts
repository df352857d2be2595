import type { components } from './schema.js';

type Schemas = components['schemas'];

/** The API's shapes, as the gateway's OpenAPI publishes them. */
export type UserRef = Schemas['UserRef'];
export type Profile = Schemas['Profile'];
export type ProfilePage = Schemas['ProfilePage'];
export type UserRefPage = Schemas['UserRefPage'];
export type Review = Schemas['Review'];
export type ReviewPage = Schemas['ReviewPage'];
export type Me = Schemas['Me'];
export type Session = Schemas['Session'];
export type Post = Schemas['Post'];
export type PostPage = Schemas['PostPage'];
export type Comment = Schemas['Comment'];
export type CommentPage = Schemas['CommentPage'];
export type Config = Schemas['Config'];
export type PasswordPolicy = Schemas['PasswordPolicy'];
export type Problem = Schemas['Problem'];
export type Visibility = Post['visibility'];
