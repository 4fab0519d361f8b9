import { parseUsd } from '#platform/shared/money.ts'
import type { Lang, TextKeyOf } from '#platform/shared/texts.ts'
import type { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import type { Tone } from '#ui/badge.tsx'
import { formatBillTitle } from '../../bill-titles.ts'
import type { BillRow } from '../../contract-bills.ts'
import type { billTexts } from '../../texts-bills.ts'
import type { BillState } from '../../words.ts'
import { BALANCE_CHANNEL_NUMBER } from '../order-words.ts'

const DECLINE_TEXT = {
  insufficient_funds: 'decline_insufficient_funds',
  card_frozen: 'decline_card_frozen',
  card_closed: 'decline_card_closed',
  card_not_ready: 'decline_card_not_ready',
  card_expired: 'decline_card_expired',
  monthly_limit: 'decline_monthly_limit',
  card_type: 'decline_card_type',
  merchant_blocked: 'decline_merchant_blocked',
  account_frozen: 'decline_account_frozen',
  account_in_debt: 'decline_account_in_debt',
  card_in_debt: 'decline_card_in_debt',
  house_limit: 'decline_house_limit',
  wrong_details: 'decline_wrong_details',
  suspected_fraud: 'decline_suspected_fraud',
  issuer_rule: 'decline_issuer_rule',
  no_answer: 'decline_no_answer',
} as const
const FEE_NOTE_TEXT = { activation: 'feeNote_activation', refund: 'feeNote_refund', abroad: 'feeNote_abroad', reversal: 'feeNote_reversal' } as const

export type TranslateBill = ReturnType<typeof useTexts<TextKeyOf<typeof billTexts>>>

export const BILL_TONES: Record<BillState, Tone> = { processing: 'info', success: 'success', fail: 'danger', reversed: 'neutral' }

const DECLINES = [
  'insufficient_funds',
  'card_frozen',
  'card_closed',
  'card_not_ready',
  'card_expired',
  'monthly_limit',
  'card_type',
  'merchant_blocked',
  'account_frozen',
  'account_in_debt',
  'card_in_debt',
  'house_limit',
  'wrong_details',
  'suspected_fraud',
  'issuer_rule',
  'no_answer',
] as const

/** Title of a bill row: the merchant's name, or the kind for our own entries. */
export const formatBillName = (lang: Lang, { merchant, kind }: Pick<BillRow, 'merchant' | 'kind'>): string => merchant || formatBillTitle(lang, kind)

/** Explains why a payment failed and what to do. */
export function formatDeclineReason(t: TranslateBill, { reason, missing }: Pick<BillRow, 'reason' | 'missing'>): string {
  const known = DECLINES.find((name) => name === reason)
  if (known === 'insufficient_funds' && missing !== null) return t('missing', { amount: displayUsd(missing) })
  return known ? t(DECLINE_TEXT[known]) : t('decline_other')
}

/** Note below the name: place, payment method, reason for a delay, cost. */
export function formatBillNote(t: TranslateBill, lang: Lang, row: BillRow): string {
  const { status, kind, place, local, feeKind, method, orderNo, amount } = row
  if (status === 'fail') return row.merchant || row.reason ? formatDeclineReason(t, row) : t('decline_other')
  if (status === 'reversed') return t('note_reversed')
  if (status === 'processing' && kind === 'kept') return t('note_kept', { amount: displayUsd(stripMinusSign(amount)) })
  if (status === 'processing' && (kind === 'purchase' || kind === 'verification')) return t('note_held', { amount: displayUsd(stripMinusSign(amount)) })
  if (status === 'processing') return t('note_moving')
  const parts = [
    kind === 'refund' && row.merchant ? formatBillTitle(lang, kind) : '',
    place,
    local ? `${local.amount} ${local.currency}` : '',
    method ? formatPaidMethod(t, method) : '',
    orderNo ? t('orderTail', { tail: orderNo.slice(-4) }) : '',
    feeKind ? t(FEE_NOTE_TEXT[feeKind]) : '',
  ]
  return parts.filter(Boolean).join(t('comma'))
}

/** Payment method of a row: channel 5 is the balance; other channels are named on the order's own page. */
export const formatPaidMethod = (t: TranslateBill, method: string): string => t(method === String(BALANCE_CHANNEL_NUMBER) ? 'paidBalance' : 'paidChannel')

export const stripMinusSign = (amount: string): string => amount.replace(/^-/, '')
export const isIncome = (amount: string): boolean => parseUsd(amount) > 0n
/** True if the row had no effect; it is shown struck through. */
export const isVoidBill = ({ status }: Pick<BillRow, 'status'>): boolean => status === 'fail' || status === 'reversed'
