import { formatMovementLine } from '#features/wallet/contract-movements.ts'
import type { MovementKind, MovementWords } from '#features/wallet/contract-movements.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { methodTextKey, PAY_METHODS } from '../contract-methods.ts'
import { paymentTexts } from '../texts.ts'
import { resolvePaymentKind } from './bookings.ts'
import { resolveEarnings } from './kinds/index.ts'
import { formatOrderTitle } from '../texts-titles.ts'

/** An order and its payment method, as named in news and receipts. */
interface PaidOrder {
  readonly orderType: number
  readonly transactionType: number
}

/** Kinds whose subject is the method; the others name the ordered item. */
const BY_METHOD: readonly MovementKind[] = ['topup', 'refund.taken', 'refund.released']
const FROM_METHOD: readonly MovementKind[] = ['topup', 'order.paid', 'topup.suspense', 'refund.released']

/** A movement of an order's money in the words of the funds page, with method and service by name. */
export function formatOrderMovement(
  lang: Lang,
  kind: MovementKind,
  { order, isToMethod = false }: { readonly order: PaidOrder; readonly isToMethod?: boolean },
): string {
  const method = paymentTexts[lang][methodTextKey(order.transactionType)]
  const title = formatOrderTitle(order.orderType, lang)
  const words: MovementWords = {
    subject: BY_METHOD.includes(kind) ? method : title,
    ...(FROM_METHOD.includes(kind) ? { from: method } : {}),
    ...(isToMethod ? { to: method } : {}),
  }
  return formatMovementLine(lang, kind, words)
}

/** Payment of an order as a movement line: "支付宝充值（支付宝 → 余额）". */
export function formatPaymentLine(lang: Lang, order: PaidOrder): string {
  return formatOrderMovement(lang, resolvePaymentKind(order.orderType, resolveEarnings(order.orderType), order.transactionType === PAY_METHODS.balance.id), {
    order,
  })
}
