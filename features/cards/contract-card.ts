import { z } from 'zod'
import { usdText } from '#platform/shared/contract.ts'
import { CARD_PLATFORMS, CARD_STATES, CARD_TYPES, CLOSE_REASONS, FAILURE_STEPS, FREEZERS, OPEN_REASONS, OPENING_PACES } from './words.ts'

export const cardId = z.string().regex(/^card_[0-9a-z]{16}$/)
export const payPassword = z.string().regex(/^\d{6}$/)
/** What a call that asks for the payment password may answer. */
export const BY_PASSWORD = ['PAY_PASSWORD_NOT_SET', 'PAY_PASSWORD_WRONG', 'PAY_PASSWORD_LOCKED', 'PAY_PASSWORD_BLOCKED', 'CARD_MAINTENANCE'] as const
export const time = z.string()
export const billingAddress = z.object({
  line1: z.string(),
  line2: z.string(),
  city: z.string(),
  state: z.string(),
  postalCode: z.string(),
  country: z.string(),
})

/** Amounts are dollars, `until` is a time. Who asked for the last refused charge and what was missing is not known of every refusal. */
export type CardWarning =
  | { readonly name: 'refusals'; readonly facts: { readonly count: string; readonly left: string; readonly merchant?: string; readonly missing?: string } }
  | { readonly name: 'owed' | 'month_nearly_spent' | 'returned'; readonly facts: { readonly amount: string } }
  | { readonly name: 'expiring'; readonly facts: { readonly until: string } }
  | { readonly name: 'must_change'; readonly facts: Readonly<Record<string, never>> }
const cardWarning = z.object({ name: z.string(), facts: z.record(z.string(), z.string()) }) as unknown as z.ZodType<CardWarning>

export const cardRow = z.object({
  id: cardId,
  type: z.enum(CARD_TYPES),
  /** The card programme (`CARD_PLATFORMS`); 0 for one that is no longer connected. */
  platform: z.literal([0, ...Object.values(CARD_PLATFORMS)]),
  state: z.enum(CARD_STATES),
  /** Null unless frozen. */
  frozenBy: z.enum(FREEZERS).nullable(),
  closeReason: z.enum(CLOSE_REASONS).nullable(),
  /** Why opening failed; '' otherwise. */
  failReason: z.enum(['', ...OPEN_REASONS]),
  /** Of a card that is being opened: within the promised time, beyond it, or so late that operators look at it. */
  pace: z.enum(OPENING_PACES).nullable(),
  /** Of an opening that failed: what goes back and where, and what its user can do next. */
  failure: z
    .object({
      moneyBack: z.object({ amount: usdText, goesTo: z.enum(['channel', 'balance']), isDone: z.boolean() }).nullable(),
      next: z.enum(FAILURE_STEPS),
    })
    .nullable(),
  /** First six and last four digits; '' until the issuer has made it. */
  bin: z.string(),
  last4: z.string(),
  /** First six digits and dots. */
  cardNo: z.string(),
  /** As printed. */
  holder: z.string(),
  /** MM/YY; '' until the issuer has made it. */
  expiry: z.string(),
  /** Last day that it works. */
  validUntil: time.nullable(),
  createdTime: time,
  openedTime: time.nullable(),
  /** What can be spent now: booked less reserved. Negative: what it owes. */
  available: usdText,
  balance: usdText,
  reserved: usdText,
  /** What it owes the house; '0' usually. */
  owed: usdText,
  totalSpent: usdText,
  totalRecharged: usdText,
  /** Spent and reserved since the first of the month (Beijing), of how much. */
  monthSpent: usdText,
  monthlyLimit: usdText,
  monthResets: time,
  /** Charges refused for want of balance, in a row, of how many that close it. */
  refusals: z.object({ inRow: z.number(), closesAt: z.number(), rate: z.number(), rateClosesAt: z.number(), rateCounted: z.boolean() }),
  /** The first recharge is still to come: it has a minimum and an activation fee of its own. */
  needsFirstRecharge: z.boolean(),
  /** What the issuer holds, and compares with what is typed at a shop; null until the issuer has said so. */
  billingAddress: billingAddress.nullable(),
  /** The issuer takes another billing address. */
  canChangeAddress: z.boolean(),
  /** The card that it was changed into. */
  replacedBy: z.string().nullable(),
  /** Each with the facts that its texts name: `warning_<name>` and `warningAbout_<name>`. */
  warnings: z.array(cardWarning),
  /** What this type pays for well, and what not: names of services. */
  goodFor: z.array(z.string()),
  notFor: z.array(z.string()),
})
export type CardRow = z.output<typeof cardRow>
