import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { openSupport } from '#platform/web/state/support.ts'
import { Button } from '#ui/button.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { toast } from '#ui/layers/toast.ts'
import type { OrderDetail } from '../../contract-orders.ts'
import { paymentTexts } from '../../texts.ts'
import { pageTexts } from '../../texts-pages.ts'
import { ORDER_TYPE } from '../../words.ts'
import { payDisplay } from '../pay/pay-money.tsx'
import { paymentsApi } from '../payments-api.ts'
import { forgetOrder } from '../pending-order.ts'
import { ReceiptButton } from '../receipt-button.tsx'

/** Actions of an order, likeliest first; the help link at the end carries the order number. */
export function OrderActions({ detail, onRefund }: { readonly detail: OrderDetail; readonly onRefund: () => void }) {
  const t = useTexts(pageTexts)
  const p = useTexts(paymentTexts)
  const cache = useQueryClient()
  const [cancelling, setCancelling] = useState(false)
  const { order, can } = detail
  const { orderNo } = order
  const cancel = async () => {
    if (!(await confirm({ title: t('cancel_title'), body: t('cancel_about'), action: t('cancel'), cancel: t('keep'), danger: true }))) return
    setCancelling(true)
    try {
      await paymentsApi.cancelOrder({ orderNo })
      forgetOrder(orderNo)
      toast.success(t('cancel_done'))
    } catch (error) {
      if (isApiError(error)) toast.error(error.message)
    } finally {
      setCancelling(false)
      void cache.invalidateQueries({ queryKey: ['payments'] })
    }
  }
  return (
    <>
      <div className="mt-4 flex flex-wrap gap-3 empty:hidden mobile:[&>*]:flex-[1_1_140px]">
        {can.pay ? (
          <Button onClick={() => openDialog('recharge', { orderNo })}>{t('pay_now', { amount: payDisplay(order.payAmount, order.payCurrency) })}</Button>
        ) : null}
        {can.receipt ? <ReceiptButton orderNo={orderNo} /> : null}
        {can.again && order.orderType === ORDER_TYPE.OPENAI_API ? (
          <Button variant={can.receipt ? 'secondary' : 'primary'} onClick={() => openDialog('recharge', { amount: order.amount })}>
            {can.receipt ? t('again') : p('order_again')}
          </Button>
        ) : null}
        {can.cancel ? (
          <Button variant="secondary" loading={cancelling} onClick={() => void cancel()}>
            {t('cancel')}
          </Button>
        ) : null}
        {can.refund === null ? null : (
          <Button variant="secondary" onClick={onRefund}>
            {t('refund_ask')}
          </Button>
        )}
      </div>
      <p className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-1 text-13 text-fg-3">
        {t('trouble')}
        <button type="button" className="link mobile:min-h-11" onClick={() => openSupport({ topic: 'recharge', orderNo })}>
          {t('support')}
        </button>
        <button type="button" className="link mobile:min-h-11" onClick={() => openDialog('complaint', { orderNo })}>
          {t('complain')}
        </button>
      </p>
    </>
  )
}
