/** `ProjectedRow` as every projection's schema declares it. */
export const PROJECTED_FIELDS = {
  _id: { type: String, required: true },
  version: { type: Number, required: true },
  confirmedBy: String,
  changedAt: Date,
} as const;
