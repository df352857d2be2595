import type { UserStatusName } from '@pulso/contracts/user-status';
import { collection } from '@pulso/platform/mongo/collection';
import { PROJECTED_FIELDS, type ProjectedRow } from '@pulso/platform/mongo/projected-row';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';

/** Messaging's copy of where a user gets mail, from pulso.identity.contact.v1. Of a deleted user it has no address. */
export interface ContactRow extends ProjectedRow {
  status: UserStatusName;
  /** Empty for a deleted user, as are the fields below. */
  email: string;
  /** Whether the address is known to be the user's; missing in rows of earlier versions, which did not know. */
  emailVerified?: boolean;
  language: string;
  wantsSubscriptionMails: boolean;
  wantsSecurityMails: boolean;
  unsubscribeToken: string;
  /** When the account was made. */
  createdAt: Date;
}

const contactSchema = new Schema<ContactRow>(
  {
    ...PROJECTED_FIELDS,
    status: { type: String, required: true },
    email: String,
    emailVerified: Boolean,
    language: String,
    wantsSubscriptionMails: { type: Boolean, required: true },
    wantsSecurityMails: { type: Boolean, required: true },
    unsubscribeToken: String,
    createdAt: { type: Date, required: true },
  },
  SCHEMA_OPTIONS,
);

export class ContactRows extends collection<ContactRow>({ name: 'contacts', schema: contactSchema }) {}
