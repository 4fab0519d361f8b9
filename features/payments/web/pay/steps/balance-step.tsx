import { useEffect } from 'react'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Button } from '#ui/button.tsx'
import { Receipt } from '#ui/receipt.tsx'
import { paymentTexts } from '../../../texts.ts'
import { pageTexts } from '../../../texts-pages.ts'
import { PaymentsNotice } from '../../notice.tsx'
import { OrderLines, OrderNo } from '../../order-lines.tsx'
import type { PayState } from '../pay-machine.ts'
import type { Pay } from '../use-pay.ts'

/**
 * Payment from the balance: the order lines and the payment password, after a confirmation unless the sum was just confirmed. An
 * insufficient balance shows the missing amount and leads to a top-up.
 */
export function BalanceStep({ state, pay }: { readonly state: Extract<PayState, { step: 'balance' }>; readonly pay: Pay }) {
  const t = useTexts(pageTexts)
  const p = useTexts(paymentTexts)
  const { order, busy, isConfirmed, error, missing } = state
  const { payFromBalance } = pay
  useEffect(() => {
    if (isConfirmed) void payFromBalance()
  }, [isConfirmed, payFromBalance])
  return (
    <div className="grid gap-4">
      <Receipt look="flat" label={p('receipt')}>
        <OrderLines order={order} />
      </Receipt>
      <OrderNo orderNo={order.orderNo} />
      <div role="alert" className="empty:-mt-4">
        {error ? <PaymentsNotice tone={missing === undefined ? 'danger' : 'warning'}>{error}</PaymentsNotice> : null}
      </div>
      {missing === undefined ? (
        <div>
          <Button size="lg" block loading={busy} onClick={() => void payFromBalance()}>
            {t('balance_pay', { amount: displayUsd(order.total) })}
          </Button>
          <p className="mt-2 text-center text-12 text-fg-3">{t('balance_pay_about')}</p>
        </div>
      ) : (
        <div className="flex flex-wrap gap-3 mobile:[&>*]:flex-1">
          <Button onClick={() => openDialog('recharge', { amount: missing })}>{t('balance_top_up')}</Button>
          <Button variant="secondary" loading={busy} onClick={() => void payFromBalance()}>
            {p('open_again')}
          </Button>
        </div>
      )}
    </div>
  )
}
