import { z } from 'zod'
import { DECLINE_REASONS } from '../port.ts'

const words = (most: number) => z.string().min(1).max(most)
const addressCall = z.object({
  line1: words(200),
  line2: words(200).optional(),
  city: words(100),
  state: words(100),
  postalCode: words(20),
  country: z.string().length(2),
})
/** Limits of a holder at the bank, checked before the customer pays; a test compares them with the bank's own. */
export const holderCall = z.object({
  firstName: words(80),
  lastName: words(80),
  email: words(200),
  phone: words(20).optional(),
  birthDate: z.iso.date(),
  address: addressCall,
  billing: addressCall.optional(),
})

/** Responses of the company. A response of another shape counts as lost. */
const minor = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(BigInt)
const time = z.number().transform((at) => new Date(at))
const local = z.object({ minor, currency: z.string() }).optional()
export const merchantShape = z.object({ name: z.string(), city: z.string(), country: z.string().length(2), mcc: z.string().length(4) })

export const nothingReply = z.object({})
export const refusalReply = z.object({ refused: z.string(), field: z.string().optional() })
const addressReply = z.object({
  line1: z.string(),
  line2: z.string().default(''),
  city: z.string(),
  state: z.string(),
  postalCode: z.string(),
  country: z.string(),
})
export const holderReply = z.object({ ref: z.string() })
export const cardReply = z
  .object({
    ref: z.string(),
    state: z.enum(['opening', 'active', 'frozen', 'closed', 'failed']),
    reason: z.string().optional(),
    bin: z.string().length(6),
    last4: z.string().length(4),
    expMonth: z.number(),
    expYear: z.number(),
    billing: addressReply,
  })
  .transform(({ ref, ...rest }) => ({ cardRef: ref, ...rest }))
export const loadReply = z.discriminatedUnion('status', [
  z.object({ status: z.literal('done') }),
  z.object({ status: z.literal('refused'), reason: z.string() }),
  z.object({ status: z.literal('pending') }),
])
export const authorizationReply = z
  .object({
    ref: z.string(),
    card: z.string(),
    status: z.enum(['pending', 'closed', 'reversed', 'expired']),
    approved: z.boolean(),
    reason: z.enum(DECLINE_REASONS).optional(),
    held: minor,
    approvedSum: minor,
    merchant: merchantShape,
    local,
    at: time,
    reversals: z.number(),
  })
  .transform(({ card, held, approvedSum, at, ...rest }) => ({ ...rest, cardRef: card, heldMinor: held, approvedMinor: approvedSum, createdAt: at }))
export const transactionReply = z
  .object({
    ref: z.string(),
    card: z.string(),
    authorization: z.string().optional(),
    kind: z.enum(['capture', 'refund', 'refund_reversal']),
    minor,
    merchant: merchantShape,
    local,
    at: time,
  })
  .transform(({ card, authorization, ...rest }) => ({ ...rest, cardRef: card, ...(authorization ? { authorizationRef: authorization } : {}) }))
export const disputeReply = z
  .object({
    ref: z.string(),
    transaction: z.string(),
    minor,
    status: z.enum(['unsubmitted', 'submitted', 'won', 'lost', 'expired']),
    credited: z.boolean(),
  })
  .transform(({ transaction, ...rest }) => ({ ...rest, transactionRef: transaction }))
export const challengeReply = z
  .object({ ref: z.string(), card: z.string(), code: z.string(), merchant: merchantShape, minor, ends: time })
  .transform(({ card, ends, ...rest }) => ({ ...rest, cardRef: card, expiresAt: ends }))
export const revealReply = z.object({ nonce: z.string(), ends: time })
export const bookReply = z.object({ rows: z.array(transactionReply), more: z.boolean() })
export const standingReply = z.object({
  magic: z.object({ loads: z.record(z.string(), z.string()), purchases: z.record(z.string(), z.string()) }),
  sound: z.boolean(),
  now: time,
  cards: z.array(z.object({ bin: z.string(), last4: z.string(), state: z.string(), balance: z.string(), expMonth: z.number(), expYear: z.number() })),
})

export const noticeBody = z.object({ id: z.string(), type: z.string(), ref: z.string(), card: z.string() })
export const requestBody = noticeBody.extend({
  request: z.object({ merchant: merchantShape, minor, increment: z.boolean(), partialAllowed: z.boolean(), local }),
})
