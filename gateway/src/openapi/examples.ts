// Ids and times that the examples of all shapes share.
export const EXAMPLE = {
  coachId: '0198f2a4-7c10-7b3e-9d61-3f2a8c5e1b07',
  memberId: '0198f2a9-01f4-7d52-8a3c-6e0b9d4f2c18',
  postId: '0198f2b3-5a20-7c81-b4e9-1d7f3a6c8e29',
  commentId: '0198f2b7-9e48-7f06-a5d2-8b4c0e7f1a3d',
  reviewId: '0198f2bc-4d16-7e83-b0c7-9a2f5e8d1c46',
  conversationId: '0198f2a4-7c10-7b3e-9d61-3f2a8c5e1b07_0198f2a9-01f4-7d52-8a3c-6e0b9d4f2c18',
  messageId: '0198f2c6-2b57-7d40-9a1e-5f8c3e7d0b92',
  notificationId: '0198f2c8-8d03-7a6b-b7f4-0e9d2c5a1f83',
  subscriptionId: '0198f2ca-1c64-7e37-8d52-4b9f0a6e3c71',
  mediaId: '0198f2c1-6a3d-7b94-8e05-2c7d1f9a4b60',
  sessionId: '0198f2a4-7d02-7e91-8c47-5a1b2c3d4e5f',
  passkeyId: '0198f2a4-7d9b-7c18-a3f5-6b1d8e2c4a90',
  time: '2026-05-04T09:30:00.000Z',
  later: '2026-05-04T10:12:45.120Z',
} as const;
