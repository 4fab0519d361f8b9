import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { openDialog, useDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { Button } from '#ui/button.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { toast } from '#ui/layers/toast.ts'
import { paymentTexts } from '../texts.ts'
import { toPayStatus } from '../words.ts'
import { payDisplay } from './pay/pay-money.tsx'
import { paymentsApi } from './payments-api.ts'
import { forgetOrder, usePending } from './pending-order.ts'
import type { PendingOrder } from './pending-order.ts'
import { usePoll } from './pay/use-poll.ts'

/** 有一笔待支付订单 ¥147.45 · 继续支付 / 取消. Disappears when the order is paid or over. */
export function PendingOrderStrip({ inDialog = false }: { readonly inDialog?: boolean }) {
  const pending = usePending((state) => state.pending)
  const dialogOpen = useDialog('recharge') !== undefined
  const signedIn = useSignedIn()
  if (!pending || !signedIn || (dialogOpen && !inDialog)) return null
  return <Strip key={pending.orderNo} pending={pending} inDialog={inDialog} />
}

function Strip({ pending, inDialog }: { readonly pending: PendingOrder; readonly inDialog: boolean }) {
  const t = useTexts(paymentTexts)
  const cache = useQueryClient()
  const { orderNo, payAmount, payCurrency, until } = pending
  const amount = payDisplay(payAmount, payCurrency)

  const ask = async (signal?: AbortSignal) => {
    try {
      const { state } = await paymentsApi.payStatus({ order_id: orderNo }, { signal })
      const status = toPayStatus(state)
      if (status === 0) return
      forgetOrder(orderNo)
      void cache.invalidateQueries({ queryKey: ['payments', 'records'] })
      void cache.invalidateQueries({ queryKey: ['payments', 'orders'] })
      if (status !== 1) return
      void cache.invalidateQueries({ queryKey: ['wallet'] })
      toast.success(t('pending_paid', { amount }))
    } catch (error) {
      if (isApiError(error) && error.errorName === 'ORDER_NOT_FOUND') forgetOrder(orderNo)
    }
  }
  const now = usePoll(ask, true, until)
  useEffect(() => {
    void now()
  }, [now])
  useEffect(() => {
    const timer = setTimeout(() => forgetOrder(orderNo), Math.max(0, until - Date.now()))
    return () => clearTimeout(timer)
  }, [orderNo, until])

  const cancel = async () => {
    if (!(await confirm({ title: t('cancel_title'), body: t('cancel_about'), action: t('pending_cancel'), cancel: t('keep_order'), danger: true }))) return
    try {
      await paymentsApi.cancelOrder({ orderNo })
      forgetOrder(orderNo)
      toast.success(t('cancelled'))
      void cache.invalidateQueries({ queryKey: ['payments', 'records'] })
      void cache.invalidateQueries({ queryKey: ['payments', 'orders'] })
    } catch (error) {
      if (isApiError(error)) toast.error(error.message)
      await now()
    }
  }
  return (
    <div
      role="status"
      className={`flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-brand-soft px-4 py-2.5 text-14 text-brand-text ${inDialog ? '' : 'mb-5'}`}
    >
      <p className="min-w-0 flex-1 font-medium tabular">{t('pending', { amount })}</p>
      <div className="flex gap-2">
        <Button type="button" size="sm" onClick={() => openDialog('recharge', { orderNo })}>
          {t('pending_continue')}
        </Button>
        <Button type="button" size="sm" variant="ghost" onClick={() => void cancel()}>
          {t('pending_cancel')}
        </Button>
      </div>
    </div>
  )
}
