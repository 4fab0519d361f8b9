import { z } from 'zod'
import { usdText } from '#platform/shared/contract.ts'
import { namesOf } from '#platform/shared/pick.ts'
import { CARD_PLATFORMS, CARD_STATES, CARD_TYPES, CLOSE_REASONS, FAILURE_STEPS, FREEZERS, OPEN_REASONS, OPENING_PACES } from './words.ts'

export const cardId = z.string().regex(/^card_[0-9a-z]{16}$/)
export const cardPayPassword = z.string().regex(/^\d{6}$/)
/** Errors of calls that require the payment password. */
export const PAY_PASSWORD_ERRORS = ['PAY_PASSWORD_NOT_SET', 'PAY_PASSWORD_WRONG', 'PAY_PASSWORD_LOCKED', 'PAY_PASSWORD_BLOCKED', 'CARD_MAINTENANCE'] as const
export const timeText = z.string()
export const billingAddress = z.object({
  line1: z.string(),
  line2: z.string(),
  city: z.string(),
  state: z.string(),
  postalCode: z.string(),
  country: z.string(),
})

/**
 * A warning about a card. Amounts are dollars, `until` is a time. Merchant and missing sum of the last refused charge are not always known.
 */
export type CardWarning =
  | { readonly name: 'refusals'; readonly facts: { readonly count: string; readonly left: string; readonly merchant?: string; readonly missing?: string } }
  | { readonly name: 'owed' | 'month_nearly_spent' | 'returned'; readonly facts: { readonly amount: string } }
  | { readonly name: 'expiring'; readonly facts: { readonly until: string } }
  | { readonly name: 'must_change'; readonly facts: Readonly<Record<string, never>> }
const cardWarning = z.object({ name: z.string(), facts: z.record(z.string(), z.string()) }) as unknown as z.ZodType<CardWarning>

/** Fields of the stored card that every view shows: the owner's list and export, and the operators' tab. */
export const shownCardFields = z.object({ type: z.enum(CARD_TYPES), state: z.enum(CARD_STATES), last4: z.string() })
export const CARD_FIELDS = namesOf(shownCardFields.shape)

export const cardRow = z.object({
  id: cardId,
  ...shownCardFields.shape,
  /** The card programme (`CARD_PLATFORMS`); 0 for one that is no longer connected. */
  platform: z.literal([0, ...Object.values(CARD_PLATFORMS)]),
  /** Null unless frozen. */
  frozenBy: z.enum(FREEZERS).nullable(),
  closeReason: z.enum(CLOSE_REASONS).nullable(),
  /** Why opening failed; '' otherwise. */
  failReason: z.enum(['', ...OPEN_REASONS]),
  /** State of a running opening: within the promised time, beyond it, or so late that operators check it. */
  pace: z.enum(OPENING_PACES).nullable(),
  /** Details of a failed opening: the refund and its destination, and the user's next step. */
  failure: z
    .object({
      moneyBack: z.object({ amount: usdText, goesTo: z.enum(['channel', 'balance']), isDone: z.boolean() }).nullable(),
      next: z.enum(FAILURE_STEPS),
    })
    .nullable(),
  /** First six digits; like `last4`, '' until the issuer has made it. */
  bin: z.string(),
  /** First six digits and dots. */
  cardNo: z.string(),
  /** As printed. */
  holder: z.string(),
  /** MM/YY; '' until the issuer has made it. */
  expiry: z.string(),
  /** Last day that it works. */
  validUntil: timeText.nullable(),
  createdTime: timeText,
  openedTime: timeText.nullable(),
  /** Spendable now: booked less reserved. Negative: debt. */
  available: usdText,
  balance: usdText,
  reserved: usdText,
  /** Debt of the card; usually '0'. */
  owed: usdText,
  totalSpent: usdText,
  totalRecharged: usdText,
  /** Spent and reserved since the first of the month (Beijing), of how much. */
  monthSpent: usdText,
  monthlyLimit: usdText,
  monthResets: timeText,
  /** Charges refused for lack of balance: how many in a row, and the limits that close the card. */
  refusals: z.object({ inRow: z.number(), closesAt: z.number(), rate: z.number(), rateClosesAt: z.number(), rateCounted: z.boolean() }),
  /** The first recharge is outstanding; it has its own minimum and activation fee. */
  needsFirstRecharge: z.boolean(),
  /** Billing address at the issuer, which shops check the typed one against; null until the issuer reports it. */
  billingAddress: billingAddress.nullable(),
  /** The issuer accepts a change of the billing address. */
  canChangeAddress: z.boolean(),
  /** Id of the replacement card. */
  replacedBy: z.string().nullable(),
  /** Warnings with the facts of their texts `warning_<name>` and `warningAbout_<name>`. */
  warnings: z.array(cardWarning),
  /** Services that this card type suits, and those it does not. */
  goodFor: z.array(z.string()),
  notFor: z.array(z.string()),
})
export type CardRow = z.output<typeof cardRow>
