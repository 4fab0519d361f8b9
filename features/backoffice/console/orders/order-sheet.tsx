import { useQuery } from '@tanstack/react-query'
import { Check, RotateCw, Search, Undo2, X } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { CustomerLink } from '../kit/customer-link.tsx'
import { SideSheet } from '../kit/sheet.tsx'
import { isConvertedCurrency } from '#features/payments/contract-currencies.ts'
import { formatPayAmount } from '../kit/pay-amount.ts'
import { moneyApi } from './money-api.ts'
import { OrderHistory, OrderReceipts, OrderRefunds, OrderAttempts } from './order-parts.tsx'
import type { ConsoleOrder } from './order-parts.tsx'
import { OrderStateTag } from './state-tag.tsx'
import { moneyTexts } from './texts.ts'
import { useOrderTypeTitle } from './words.ts'

export function OrderSheet({ orderNo, onClose }: { readonly orderNo: string; readonly onClose: () => void }) {
  const { data, error, refetch } = useQuery({ queryKey: ['order', orderNo], queryFn: ({ signal }) => moneyApi.order({ orderNo }, { signal }), retry: false })
  if (!data)
    return (
      <SideSheet title={orderNo} onClose={onClose}>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonRows rows={8} />}
      </SideSheet>
    )
  return (
    <SideSheet
      title={displayUsd(data.amount)}
      tags={<OrderStateTag state={data.state} />}
      about={
        <>
          <span className="num">{data.orderNo}</span>
          <CopyButton iconOnly text={data.orderNo} className="-my-2" />
          <CustomerLink userId={data.userId}>{data.customer || undefined}</CustomerLink>
        </>
      }
      onClose={onClose}
      foot={<OrderCommands order={data} />}
    >
      <div className="grid grid-cols-1 gap-5">
        <OrderFigures order={data} />
        <OrderReceipts order={data} />
        <OrderRefunds order={data} />
        <OrderAttempts order={data} />
        <OrderHistory order={data} />
      </div>
    </SideSheet>
  )
}

/** Order types whose card a job requests from the issuer: first card, further card, replacement, renewal. */
const CARD_ORDERS: readonly number[] = [1, 2, 14, 15]

/** Commands for an order. There is no "mark as paid": operators can only query the channel. */
function OrderCommands({ order }: { readonly order: ConsoleOrder }) {
  const t = useTexts(moneyTexts)
  const input = { orderNo: order.orderNo }
  const icon = { 'size': 14, 'strokeWidth': 1.75, 'aria-hidden': true } as const
  const about = <span className="num">{order.orderNo}</span>
  const hasRequest = order.refunds.some(({ state }) => state === 'requested')
  return (
    <>
      <CommandButton name="order.repair" word={t('repair')} input={input} about={about} icon={<Search {...icon} />} />
      {order.state === 'paid' && CARD_ORDERS.includes(order.orderType) ? (
        <div className="flex flex-wrap gap-2">
          <CommandButton name="card.retry-opening" word={t('retryOpening')} input={input} about={about} icon={<RotateCw {...icon} />} />
          <CommandButton
            name="card.end-opening"
            word={t('endOpening')}
            input={input}
            about={about}
            danger
            icon={<Undo2 {...icon} />}
            warning={t('refundWarning')}
          />
        </div>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {hasRequest ? <CommandButton name="order.reject" word={t('rejectWaiting')} input={input} about={about} icon={<X {...icon} />} /> : null}
        {order.waits === 'refund' || order.waits === 'suspense' ? (
          <CommandButton
            name="order.approve"
            word={t('approveWaiting')}
            input={input}
            about={about}
            variant="primary"
            icon={<Check {...icon} />}
            warning={t('refundWarning')}
          />
        ) : null}
        {order.refundable === '0' || hasRequest ? null : (
          <CommandButton
            name="order.refund"
            word={t('refund')}
            input={input}
            about={about}
            danger
            icon={<Undo2 {...icon} />}
            warning={t('refundWarning')}
            label={({ result }) => t('refundLabel', { amount: displayUsd(String(result['amount'] ?? '0')) })}
          />
        )}
      </div>
    </>
  )
}

function OrderFigures({ order }: { readonly order: ConsoleOrder }) {
  const t = useTexts(moneyTexts)
  const title = useOrderTypeTitle()
  return (
    <Receipt look="inline" label={title(order.orderType)}>
      <div className="flex items-baseline justify-between">
        <h3 className="text-14 font-bold">{title(order.orderType)}</h3>
        <Time at={order.createdAt} className="text-12 text-fg-3" />
      </div>
      <ReceiptRule className="my-2" />
      <ReceiptRow label={t('price')} value={displayUsd(order.amount)} className="text-13" />
      {order.discount === '0' ? null : <ReceiptRow label={t('discount')} value={displayUsd(`-${order.discount}`)} />}
      <ReceiptRow label={t('fee', { percent: order.feePercent })} value={displayUsd(order.fee)} />
      <ReceiptRow label={t('total')} value={displayUsd(order.total)} />
      <ReceiptRule className="my-2" />
      <ReceiptRow
        strong
        label={t('pay')}
        value={formatPayAmount(order.payAmount, order.currency)}
        note={isConvertedCurrency(order.currency) ? `${t('rate')} ${order.rate}` : undefined}
      />
      <ReceiptRow label={t('refundable')} value={displayUsd(order.refundable)} note={t('refundableNote')} />
    </Receipt>
  )
}
