import type { PurchaseRequest } from '#platform/web/state/dialogs.ts'
import type { useTexts } from '#platform/web/i18n.ts'
import type { paymentTexts } from '../../texts.ts'
import { ORDER_TYPE } from '../../words.ts'
import type { usePaymentOrderTitle } from '../use-order-title.ts'
import { hasOrder } from './pay-machine.ts'
import type { PayState } from './pay-machine.ts'
import { payDisplay } from './pay-money.tsx'
import type { TextKeyOf } from '#platform/shared/texts.ts'

interface HeadingTexts {
  readonly t: ReturnType<typeof useTexts<TextKeyOf<typeof paymentTexts>>>
  readonly title: ReturnType<typeof usePaymentOrderTitle>
}

/** Title of the payment dialog: the ordered item, and once the order exists the sum to pay. */
export function formatPayHeading({ t, title }: HeadingTexts, state: PayState, ask: PurchaseRequest | undefined): string {
  if (state.step === 'choosing') return t('choose_title')
  if (!hasOrder(state) || state.step === 'unknown') return title(ask?.orderType ?? ORDER_TYPE.OPENAI_API)
  const { orderType, payAmount, payCurrency } = state.order
  return t('pay_title', { title: title(orderType), amount: payDisplay(payAmount, payCurrency) })
}

/** Title of a paid order; undefined order: a browser other than the payer's, which is shown no more than that. */
export function formatPaidHeading({ t, title }: HeadingTexts, order: { readonly orderType: number } | undefined): string {
  return order ? t('paid_title', { title: title(order.orderType) }) : t('result_paid')
}
