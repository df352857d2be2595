import type { components } from './schema.js';

type Schemas = components['schemas'];

/** The API's shapes, as the gateway's OpenAPI publishes them. */
export type UserRef = Schemas['UserRef'];
export type Profile = Schemas['Profile'];
export type ProfileViewer = NonNullable<Profile['viewer']>;
export type ProfilePage = Schemas['ProfilePage'];
export type UserRefPage = Schemas['UserRefPage'];
export type Person = Schemas['Person'];
export type PersonPage = Schemas['PersonPage'];
export type Review = Schemas['Review'];
export type ReviewPage = Schemas['ReviewPage'];
export type Me = Schemas['Me'];
export type Session = Schemas['Session'];
/** A device that is signed in. */
export type DeviceSession = Schemas['DeviceSession'];
/** Of all that is held of the viewer, with the files; sizes in bytes. */
export type Archive = Schemas['Archive'];
/** A post and a comment as an import sends them. */
export type ImportedPost = Schemas['ImportPosts']['posts'][number];
export type ImportedComment = Schemas['ImportComments']['comments'][number];
/** A passkey of the viewer. */
export type Passkey = Schemas['Passkey'];
/** With what a page begins with, where the refresh was asked for it (ACCT-39). */
export type RefreshedSession = Schemas['RefreshedSession'];
export type Post = Schemas['Post'];
/** A picture of a post, or an upload; sizes in bytes and pixels. Its addresses expire after 5 minutes where they are signed. */
export type Image = Schemas['Image'];
/** Of a post: uploaded, or a link. */
export type Video = Schemas['Video'];
/** Its addresses expire where they are signed (MEDIA-19); both are empty unless it is ready. Sizes in bytes and pixels, duration in s. */
export type UploadedVideo = Extract<Video, { type: 'upload' }>;
export type VideoLink = Extract<Video, { type: 'url' }>;
export type PostPage = Schemas['PostPage'];
export type Comment = Schemas['Comment'];
export type CommentPage = Schemas['CommentPage'];
export type Config = Schemas['Config'];
export type PasswordPolicy = Schemas['PasswordPolicy'];
export type Problem = Schemas['Problem'];
export type Conversation = Schemas['Conversation'];
export type ConversationPage = Schemas['ConversationPage'];
export type Message = Schemas['Message'];
export type MessagePage = Schemas['MessagePage'];
export type Notification = Schemas['Notification'];
export type NotificationPage = Schemas['NotificationPage'];
export type Badges = Schemas['Badges'];
export type Subscription = Schemas['Subscription'];
export type SubscriptionPage = Schemas['SubscriptionPage'];
/** The viewer's to a coach, on the coach's profile. */
export type OwnSubscription = Schemas['OwnSubscription'];
export type StripeStatus = Schemas['StripeStatus'];
export type Dashboard = Schemas['Dashboard'];
export type Subscriber = Dashboard['subscribers']['items'][number];
export type Visibility = Post['visibility'];

/** What user `userId` is to the viewer from now on. */
export interface GraphChange {
  userId: string;
  viewer: ProfileViewer;
}

/** What the server has made of an upload of the viewer's, and the post that it is in. */
export interface PostMedia {
  postId: string | null;
  media: Image | UploadedVideo;
}
