/** Steps from the notice to the payment, in this order. `payment` belongs to cards. */
export const OPENING_STEPS = ['notice', 'taxpayer', 'method', 'papers', 'face', 'payment'] as const
export type OpeningStep = (typeof OPENING_STEPS)[number]

/** `review`: waits for an operator. `rejected`: final (a U.S. taxpayer, a name on the sanctions list). */
export const VERIFICATION_STATUSES = ['none', 'started', 'saved', 'passed', 'rejected', 'review'] as const
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number]

export const IDENTITY_METHODS = ['face', 'deposit'] as const
export type IdentityMethod = (typeof IDENTITY_METHODS)[number]

export const IDENTITY_PAPERS = ['idcard', 'passport'] as const
export type IdentityPaper = (typeof IDENTITY_PAPERS)[number]

/** Pictures that identify the holder: of papers, and `photo`, of the holder. */
export const IDENTITY_PICTURES = ['idFront', 'idBack', 'passport', 'photo'] as const
export type IdentityPicture = (typeof IDENTITY_PICTURES)[number]

/** Subject of an uploaded picture. `evidence` belongs to a dispute. */
export const UPLOAD_PURPOSES = [...IDENTITY_PICTURES, 'evidence'] as const
export type UploadPurpose = (typeof UPLOAD_PURPOSES)[number]
/** Purpose of an upload without one: the first successful reading decides. */
export const UNSPECIFIED_PURPOSE = 'unsaid'

/** 0 not saved, 1 saved, 2 paid. */
export const INFO_STATUS = { NONE: 0, SAVED: 1, PAID: 2 } as const
/** 0 processing, 1 success, 2 failure. */
export const FACE_STATUS = { PROCESSING: 0, SUCCESS: 1, FAILURE: 2 } as const
export const IDENTITY_STATUSES = ['NONE', 'PROCESSING', 'SUCCESS', 'FAIL'] as const

/** State of a face check. `other`: the face does not match the person on the paper. */
export const CHECK_STATES = ['processing', 'passed', 'failed', 'other', 'expired'] as const
export type CheckState = (typeof CHECK_STATES)[number]

/** Reason for a review or a rejection. */
export const IDENTITY_REASONS = ['us_taxpayer', 'second_account', 'listed', 'operator'] as const

/** Reason why a reading is not sure. `unlike`: it contradicts another part of the paper. */
export const READING_DOUBTS = ['glare', 'shadow', 'blur', 'cut', 'unlike', 'unread', 'check'] as const
export type ReadingDoubt = (typeof READING_DOUBTS)[number]

/** Test that made a reading sure. */
export const READING_PROOFS = ['checkDigit', 'likeNumber', 'twice', 'read'] as const
export type ReadingProof = (typeof READING_PROOFS)[number]

export const PAPER_FIELDS = [
  'chineseName',
  'latinName',
  'number',
  'birthDate',
  'sex',
  'nation',
  'address',
  'issuer',
  'validFrom',
  'validUntil',
  'country',
] as const
export type PaperField = (typeof PAPER_FIELDS)[number]

export const UPLOAD_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const
/** Evidence for a dispute may also be a document. */
export const EVIDENCE_TYPES = [...UPLOAD_TYPES, 'application/pdf'] as const
export const MAX_UPLOAD_BYTES = 10_000_000
