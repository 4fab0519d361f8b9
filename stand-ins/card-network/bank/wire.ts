import { z } from 'zod'
import { isPageLang } from '../web/languages.ts'

/** Requests from the platform to the company. Amounts are cents as text. */
const minor = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(BigInt)
const ref = z.string().min(1).max(80)
const words = (most: number) => z.string().min(1).max(most)

const address = z.object({
  line1: words(200),
  line2: words(200).optional(),
  city: words(100),
  state: words(100),
  postalCode: words(20),
  country: z.string().length(2),
})

export const holderCall = z.object({
  firstName: words(80),
  lastName: words(80),
  email: words(200),
  phone: words(20).optional(),
  birthDate: z.iso.date(),
  address,
  /** Of the holder's cards, where it is not the holder's own. */
  billing: address.optional(),
})
export const billingCall = z.object({ billing: address })
export const cardCall = z.object({
  holder: ref,
  type: z.enum(['standard', 'pro']),
  months: z.number().int().min(1).max(120),
  ceiling: minor,
  replaces: z.object({ card: ref, why: z.enum(['lost', 'stolen', 'risk', 'expired']) }).optional(),
})
export const playCall = z.object({ card: ref })
export const stateCall = z.object({ state: z.enum(['active', 'frozen', 'closed']) })
export const loadCall = z.object({ card: ref, minor, direction: z.enum(['load', 'unload']) })
export const disputeCall = z.object({
  transaction: ref,
  minor,
  reason: z.enum(['canceled', 'duplicate', 'fraudulent', 'not_received', 'not_as_described', 'other']),
  words: z.string().max(10_000),
  file: z.object({ name: words(200), type: words(100), bytes: z.number().int().min(1) }).optional(),
})
export const revealCall = z.object({
  card: ref,
  /** A page's origin and nothing else: it goes into a header. */
  origin: z.string().regex(/^https?:\/\/[\w.-]+(:\d{1,5})?$|^https?:\/\/\[[0-9a-f:]+\](:\d{1,5})?$/),
  /** A language without texts gets English. */
  lang: z.string().transform((lang) => (isPageLang(lang) ? lang : 'en')),
  theme: z.enum(['light', 'dark']),
  seconds: z.number().int().min(1).max(900).optional(),
})
