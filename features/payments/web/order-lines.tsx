import { subtractNano, parseUsd, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Usd, displayUsd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { MoneyText } from '#ui/money-text.tsx'
import { ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { FIGURES } from '#features/wallet/contract-figures.ts'
import type { PaymentOrder } from '../contract-shapes.ts'
import { formatDiscount, computePriceFigures, formatFigures } from '../figures.ts'
import type { FeeTerms } from '../figures.ts'
import { paymentTexts } from '../texts.ts'
import { ORDER_TYPE } from '../words.ts'
import { isConvertedCurrency } from '../contract-currencies.ts'
import type { PayCurrency } from '../contract-currencies.ts'
import type { PaidOrderResult } from './pay/pay-machine.ts'
import { PayAmount } from './pay/pay-money.tsx'
import { usePaymentOrderTitle } from './use-order-title.ts'

interface FigureLinesProps {
  readonly amount: string
  readonly fees: FeeTerms
  readonly rate: string
  readonly currency: PayCurrency
  /** Discount on the first top-up. */
  readonly discount?: Nano
  /** A discount exists, but not for this payment method. */
  readonly isMissed?: boolean
  /** Name of the item, unless it is a top-up. */
  readonly what?: string
}

/** 充值, 手续费, 汇率: the lines that make up the total, updated while the amount is chosen. */
export function FigureLines({ amount, fees, rate, currency, what, discount = 0n, isMissed = false }: FigureLinesProps) {
  const t = useTexts(paymentTexts)
  const title = usePaymentOrderTitle()
  const { fee, total, payAmount } = formatFigures(computePriceFigures(amount, fees, { rate, discount }))
  return (
    <>
      <ReceiptRow label={what ?? title(ORDER_TYPE.OPENAI_API)} value={<Usd value={amount} />} />
      <DiscountRow {...formatDiscount(discount)} />
      {isMissed ? <ReceiptRow label={t('line_discount_withheld')} value={t('discount_not_here')} /> : null}
      <FeeRows {...fees} fee={fee} />
      {isConvertedCurrency(currency) ? <ReceiptRow label={t('line_rate')} value={rate} /> : null}
      <ReceiptRule />
      <ReceiptRow
        strong
        label={t('line_total')}
        value={<PayAmount value={payAmount} currency={currency} />}
        {...(isConvertedCurrency(currency) ? { note: t('sum_note', { total: displayUsd(total), rate }) } : {})}
      />
    </>
  )
}

function DiscountRow({ discount }: { readonly discount?: string }) {
  const t = useTexts(paymentTexts)
  return discount === undefined ? null : <ReceiptRow label={t('line_discount')} value={`−${displayUsd(discount)}`} />
}

/** The percentage and the fixed part per payment, on one line each; together they are `fee`. */
function FeeRows({ feePercent, fixedFee, fee }: FeeTerms & { readonly fee: string }) {
  const t = useTexts(paymentTexts)
  return (
    <>
      <ReceiptRow label={t('line_fee', { percent: feePercent })} value={<Usd value={formatUsd(subtractNano(parseUsd(fee), parseUsd(fixedFee)))} />} />
      {parseUsd(fixedFee) > 0n ? <ReceiptRow label={t('line_fixed_fee')} value={<Usd value={fixedFee} />} /> : null}
    </>
  )
}

/** Price of the item without the deposit, which has its own line. */
const computeItemPrice = ({ amount, deposit = '0' }: PaymentOrder) => formatUsd(subtractNano(parseUsd(amount), parseUsd(deposit)))

/** The frozen figures of an order, headed by the name of its type. */
export function OrderLines({ order, paid = false }: { readonly order: PaymentOrder; readonly paid?: boolean }) {
  const t = useTexts(paymentTexts)
  const title = usePaymentOrderTitle()
  return (
    <>
      <ReceiptRow label={title(order.orderType)} value={<MoneyText value={computeItemPrice(order)} figure={FIGURES['order.price']} />} />
      {order.deposit === undefined ? null : (
        <ReceiptRow label={t('line_deposit')} value={<MoneyText value={order.deposit} figure={FIGURES['order.deposit']} />} />
      )}
      <DiscountRow {...(order.discount === undefined ? {} : { discount: order.discount })} />
      {order.discountWithheld === undefined ? null : <ReceiptRow label={t('line_discount_withheld')} value={t('discount_once')} />}
      <FeeRows {...order} />
      {isConvertedCurrency(order.payCurrency) ? <ReceiptRow label={t('line_rate')} value={order.rate} /> : null}
      <ReceiptRule />
      <ReceiptRow
        strong
        label={t(paid ? 'line_paid' : 'line_total')}
        value={<PayAmount value={order.payAmount} currency={order.payCurrency} />}
        {...(isConvertedCurrency(order.payCurrency) ? { note: t('sum_note', { total: displayUsd(order.total), rate: order.rate }) } : {})}
      />
    </>
  )
}

export function PaidLines({ order }: { readonly order: PaidOrderResult }) {
  const t = useTexts(paymentTexts)
  return (
    <>
      <OrderLines order={order} paid />
      <ReceiptRule />
      <ReceiptRow label={t('line_balance')} value={<MoneyText value={order.balance} figure={FIGURES['balance.posted']} />} />
      {order.successTime ? <ReceiptRow label={t('line_time')} value={<Time at={order.successTime} show="second" />} /> : null}
    </>
  )
}

/** 订单 20261120-8F31A… with a copy button, because support requests the number. */
export function OrderNo({ orderNo }: { readonly orderNo: string }) {
  const t = useTexts(paymentTexts)
  return (
    <p className="flex items-center gap-1 text-12 text-fg-3">
      <span className="min-w-0">
        {t('line_order')} <span className="num">{orderNo}</span>
      </span>
      <CopyButton text={orderNo} iconOnly label={t('copy_order')} className="-my-2 shrink-0" />
    </p>
  )
}
