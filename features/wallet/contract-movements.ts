import { joinTexts } from '#platform/shared/map-langs.ts'
import { defineTexts, fill, type TextKeyOf } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import en from './messages/movements.en.json' with { type: 'json' }
import zh from './messages/movements.zh.json' with { type: 'json' }
import { cardMovementTexts } from './texts-card-movements.ts'

export const movementTexts = joinTexts(defineTexts({ zh, en }), cardMovementTexts)
type MovementText = TextKeyOf<typeof movementTexts>

/** Terms of the equation on the funds page: opening + topup + refund + reward - spend - card - withdraw = closing. */
export const FUNDS_CATEGORIES = ['topup', 'spend', 'card', 'withdraw', 'refund', 'reward'] as const
export type FundsCategory = (typeof FUNDS_CATEGORIES)[number]

export type MovementPlace = 'balance' | 'channel' | 'api' | 'service' | 'card' | 'payee' | 'deposit' | 'reward' | 'gift' | 'fee' | 'shop' | 'debt' | 'house'

export interface MovementEntry {
  readonly name: MovementText
  /** The name with {subject}: the card, the method, what was bought. */
  readonly by?: MovementText
  /** The name while money comes back by a kind whose direction is `both`. */
  readonly nameIn?: MovementText
  /** Whose account it changes: the API balance, a card, the reward account, or none of the customer's (`house`, `direct`: a channel paid an order). */
  readonly ledger: 'balance' | 'card' | 'reward' | 'direct' | 'house'
  /** Direction as the customer sees it. */
  readonly direction: 'in' | 'out' | 'both'
  readonly from: MovementPlace
  readonly to: MovementPlace
  /** Name and filter on the funds page; null if the kind never changes a balance. */
  readonly category: FundsCategory | null
  /** Type of the object that `ref` refers to. */
  readonly object: 'order' | 'refund' | 'withdrawal' | 'card' | 'day' | 'receipt' | 'reward' | 'none'
  /** Shown as sums of calls per day and key instead of rows. */
  readonly summed?: true
  /** A chargeback, with its own figure on the overview. */
  readonly chargeback?: true
  /** No longer written; exists in old ledgers. */
  readonly historical?: true
}

type MovementOptions = Partial<Omit<MovementEntry, 'name' | 'from' | 'to'>>
type Route = `${MovementPlace} > ${MovementPlace}`
const HOME: Readonly<Record<MovementEntry['ledger'], MovementPlace | null>> = {
  balance: 'balance',
  card: 'card',
  reward: 'reward',
  direct: null,
  house: 'house',
}

/** One entry. Ledger and direction follow from the route unless given: a route that ends in the ledger's own place is incoming. */
function defineMovement(
  name: MovementText,
  route: Route,
  { ledger = 'balance', category = null, object = 'none', ...more }: MovementOptions = {},
): MovementEntry {
  const [from, to] = route.split(' > ') as [MovementPlace, MovementPlace]
  return { name, from, to, ledger, category, object, direction: HOME[ledger] === to ? 'in' : 'out', ...more }
}

/**
 * Every kind of ledger transaction, one entry each. Funds page, overview, statement, CSV, receipts, mails and the desk take words and
 * direction from here. A posting of a kind without an entry is a type error; server/movements.test.ts finds kinds that SQL writes without
 * an entry and entries that are never written.
 */
const MOVEMENT_TABLE = {
  'topup': defineMovement('mv_topup', 'channel > balance', { by: 'mv_topup_by', category: 'topup', object: 'order' }),
  'topup.suspense': defineMovement('mv_suspense', 'channel > house', { object: 'order', ledger: 'house' }),
  'suspense.resolved': defineMovement('mv_suspense_resolved', 'house > channel', { object: 'order', ledger: 'house' }),
  'order.paid': defineMovement('mv_order_paid', 'channel > service', { by: 'mv_order_paid_by', object: 'order', ledger: 'direct' }),
  'order.balance': defineMovement('mv_order_balance', 'balance > service', { by: 'mv_order_balance_by', category: 'spend', object: 'order' }),
  'order.discount': defineMovement('mv_order_discount', 'gift > balance', { category: 'reward', object: 'order' }),
  'invoice.fee': defineMovement('mv_invoice_fee', 'balance > fee', { category: 'spend', object: 'receipt' }),
  'channel.costs': defineMovement('mv_channel_costs', 'house > channel', { ledger: 'house' }),

  'refund.taken': defineMovement('mv_refund_taken', 'balance > channel', { by: 'mv_refund_taken_by', category: 'withdraw', object: 'refund' }),
  'refund.released': defineMovement('mv_refund_released', 'channel > balance', { category: 'withdraw', object: 'refund' }),
  'refund.done': defineMovement('mv_refund_done', 'service > balance', { by: 'mv_refund_done_by', category: 'refund', object: 'refund' }),
  'refund.credited': defineMovement('mv_refund_done', 'service > balance', { by: 'mv_refund_done_by', category: 'refund', object: 'refund' }),
  'refund.reversed': defineMovement('mv_refund_reversed', 'channel > house', { object: 'refund', ledger: 'house' }),

  'withdraw.sent': defineMovement('mv_withdraw_sent', 'balance > payee', { by: 'mv_withdraw_sent_by', category: 'withdraw', object: 'withdrawal' }),
  'withdraw.returned': defineMovement('mv_withdraw_returned', 'payee > balance', { category: 'withdraw', object: 'withdrawal' }),
  'withdraw.paid': defineMovement('mv_withdraw_paid', 'house > payee', { object: 'withdrawal', ledger: 'house' }),
  'withdraw.back': defineMovement('mv_withdraw_returned', 'payee > house', { object: 'withdrawal', ledger: 'house' }),

  'dispute': defineMovement('mv_dispute', 'balance > channel', {
    category: 'refund',
    object: 'order',
    direction: 'both',
    nameIn: 'mv_dispute_back',
    chargeback: true,
  }),
  'dispute.fee': defineMovement('mv_dispute_fee', 'balance > fee', { category: 'refund', object: 'order', chargeback: true }),
  'dispute.fee_back': defineMovement('mv_dispute_fee_back', 'fee > balance', { category: 'refund', object: 'order', chargeback: true }),
  'dispute.fee_unowed': defineMovement('mv_dispute_fee_back', 'fee > balance', { category: 'refund', object: 'order', chargeback: true }),

  'grant': defineMovement('mv_grant', 'gift > balance', { category: 'reward' }),
  'bonus.held': defineMovement('mv_bonus_held', 'balance > gift', { category: 'reward', object: 'order' }),
  'bonus.returned': defineMovement('mv_bonus_returned', 'gift > balance', { category: 'reward', object: 'order' }),
  'bonus.revoked': defineMovement('mv_bonus_revoked', 'balance > gift', { category: 'reward', object: 'order' }),
  'wallet.breakage': defineMovement('mv_breakage', 'balance > gift', { category: 'reward' }),
  /** Between two accounts of one owner: a user's rows show the net, which is zero. */
  'wallet.repay': defineMovement('mv_repay', 'balance > debt', { category: 'spend' }),

  'gateway.usage': defineMovement('mv_usage', 'balance > api', { category: 'spend', object: 'day', summed: true }),
  /** A later figure for a call: it changes the day's sum. */
  'gateway.correction': defineMovement('mv_usage_corrected', 'api > balance', { category: 'spend', object: 'day', summed: true }),
  'gateway.test': defineMovement('mv_usage_test', 'house > api', { ledger: 'house' }),

  'service.charged': defineMovement('mv_service_charged', 'balance > service', { by: 'mv_service_charged_by', category: 'spend', object: 'order' }),
  'service.returned': defineMovement('mv_service_returned', 'service > balance', { by: 'mv_service_returned_by', category: 'refund', object: 'order' }),

  'card.recharge': defineMovement('mv_card_recharge', 'balance > card', { by: 'mv_card_recharge_by', category: 'card', object: 'card' }),
  'card.refused': defineMovement('mv_card_refused', 'card > balance', { by: 'mv_card_refused_by', category: 'card', object: 'card' }),
  'card.to_balance': defineMovement('mv_card_to_balance', 'card > balance', { by: 'mv_card_to_balance_by', category: 'card', object: 'card' }),
  'card.swept': defineMovement('mv_card_swept', 'card > balance', { by: 'mv_card_swept_by', category: 'card', object: 'card' }),
  /** Debt of a card, paid from the balance in the transaction that made the debt or brought the money. */
  'card.debt_paid': defineMovement('mv_card_debt_paid', 'balance > card', { by: 'mv_card_debt_paid_by', category: 'card', object: 'card' }),
  'card.loaded': defineMovement('mv_card_loaded', 'balance > card', { object: 'card', ledger: 'card' }),
  'card.unloaded': defineMovement('mv_card_unloaded', 'card > balance', { object: 'card', ledger: 'card' }),
  'card.spent': defineMovement('mv_card_spent', 'card > shop', { object: 'card', ledger: 'card' }),
  'card.task': defineMovement('mv_card_task', 'card > service', { object: 'card', ledger: 'card' }),
  'card.fee': defineMovement('mv_card_fee', 'card > fee', { object: 'card', ledger: 'card' }),
  'card.refund': defineMovement('mv_card_refund', 'shop > card', { object: 'card', ledger: 'card' }),
  'card.refund_reversed': defineMovement('mv_card_refund_reversed', 'card > shop', { object: 'card', ledger: 'card' }),
  'card.dispute_credit': defineMovement('mv_card_dispute_credit', 'shop > card', { object: 'card', ledger: 'card' }),
  'card.dispute_lost': defineMovement('mv_card_dispute_lost', 'card > shop', { object: 'card', ledger: 'card' }),
  'card.settled': defineMovement('mv_card_settled', 'service > balance', { category: 'refund', object: 'order' }),
  'card.deposit': defineMovement('mv_card_deposit', 'service > deposit', { object: 'order', ledger: 'direct' }),
  'card.deposit_back': defineMovement('mv_card_deposit_back', 'deposit > balance', { category: 'refund' }),

  'invitation.earned': defineMovement('mv_invitation_earned', 'house > reward', { object: 'reward', ledger: 'reward' }),
  'invitation.clawed_back': defineMovement('mv_invitation_clawed_back', 'reward > house', { object: 'reward', ledger: 'reward' }),
  'invitation.restored': defineMovement('mv_invitation_restored', 'house > reward', { object: 'reward', ledger: 'reward' }),
  'invitation.moved': defineMovement('mv_invitation_moved', 'reward > balance', { category: 'reward', object: 'reward' }),
  'invitation.withdrawn': defineMovement('mv_invitation_withdrawn', 'reward > payee', { object: 'withdrawal', ledger: 'reward' }),
  'invitation.returned': defineMovement('mv_invitation_returned', 'payee > reward', { object: 'withdrawal', ledger: 'reward' }),
}

export type MovementKind = keyof typeof MOVEMENT_TABLE
export const MOVEMENTS: Readonly<Record<MovementKind, MovementEntry>> = MOVEMENT_TABLE

/** The entry of a stored kind; undefined for a kind that the table lacks. */
export const findMovement = (kind: string): MovementEntry | undefined => (Object.hasOwn(MOVEMENTS, kind) ? MOVEMENTS[kind as MovementKind] : undefined)

/**
 * The kind by which a row is shown. Until 2026-11-28 money of a refund that went to the balance was posted as a top-up; its reference is
 * a refund's number, or `back:` and that number.
 */
export function toShownKind(kind: string, ref: string): string {
  return kind === 'topup' && /^(R\d{8}-|back:)/.test(ref) ? 'refund.credited' : kind
}

export const PLACE_TEXTS: Readonly<Record<MovementPlace, MovementText>> = {
  balance: 'place_balance',
  channel: 'place_channel',
  api: 'place_api',
  service: 'place_service',
  card: 'place_card',
  payee: 'place_payee',
  deposit: 'place_deposit',
  reward: 'place_reward',
  gift: 'place_gift',
  fee: 'place_fee',
  shop: 'place_shop',
  debt: 'place_debt',
  house: 'place_house',
}

export const CATEGORY_TEXTS: Readonly<Record<FundsCategory, MovementText>> = {
  topup: 'category_topup',
  spend: 'category_spend',
  card: 'category_card',
  withdraw: 'category_withdraw',
  refund: 'category_refund',
  reward: 'category_reward',
}

/** A movement in words: "支付宝充值", "转到标准卡 4829"; without a subject, the name of its kind. */
export function formatMovementTitle(lang: Lang, kind: string, { isIn, subject }: { readonly isIn: boolean; readonly subject?: string }): string {
  const texts = movementTexts[lang]
  const known = findMovement(kind)
  if (!known) return texts.kind_unknown
  if (subject && known.by) return fill(texts[known.by], { subject })
  return texts[(isIn && known.nameIn) || known.name]
}

export interface RoutedMovement {
  readonly kind: string
  readonly isIn: boolean
  /** More specific names than the kind's own. */
  readonly known?: { readonly from?: string; readonly to?: string }
}

/** Names of a movement's source and destination. */
export function formatMovementRoute(lang: Lang, { kind, isIn, known = {} }: RoutedMovement): { from: string; to: string } {
  const entry = findMovement(kind)
  const place = (name: MovementPlace) => movementTexts[lang][PLACE_TEXTS[name]]
  const from = known.from ?? place(entry?.from ?? (isIn ? 'house' : 'balance'))
  const to = known.to ?? place(entry?.to ?? (isIn ? 'balance' : 'house'))
  // the table describes a kind of both directions as outgoing
  return entry?.direction === 'both' && isIn ? { from: to, to: from } : { from, to }
}

export interface MovementWords {
  readonly subject?: string
  readonly from?: string
  readonly to?: string
}

/** A movement as one line of a mail or a receipt: "支付宝充值（支付宝 → 余额）". A kind with both directions reads as outgoing. */
export function formatMovementLine(lang: Lang, kind: MovementKind, { subject, ...known }: MovementWords = {}): string {
  const isIn = MOVEMENTS[kind].direction === 'in'
  return fill(movementTexts[lang].movement_line, {
    title: formatMovementTitle(lang, kind, { isIn, subject }),
    ...formatMovementRoute(lang, { kind, isIn, known }),
  })
}
