import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { toast } from '#ui/layers/toast.ts'
import type { CustomerOrderRow } from '../../contract-orders.ts'
import { paymentTexts } from '../../texts.ts'
import { fundsTexts } from '../../texts-funds.ts'
import { ORDERS } from '../orders/use-orders.ts'
import { ordersApi } from '../pages-api.ts'
import { payDisplay } from '../pay/pay-money.tsx'
import { paymentsApi } from '../payments-api.ts'
import { forgetOrder } from '../pending-order.ts'

/** Unfinished payments move no balance: they are listed here and never among the movements. */
export function Unfinished() {
  const t = useTexts(fundsTexts)
  const lang = useLang()
  const [open, setOpen] = useState(false)
  const orders = useQuery({
    queryKey: [...ORDERS, 'waiting', lang],
    queryFn: ({ signal }) => ordersApi.orderList({ status: 'open', pageSize: 20 }, { signal }),
    refetchInterval: 10_000,
  })
  const rows = orders.data?.rowList.filter((row) => row.payable) ?? []
  if (!rows.length) return null
  const shown = rows.length === 1 || open ? rows : []
  return (
    <section aria-label={t('funds_open_many', { count: rows.length })} className="card mb-4 border-l-[3px] border-l-warning px-4 py-2.5">
      {rows.length > 1 ? (
        <div className="flex min-h-10 items-center justify-between gap-3 text-14">
          <p className="font-semibold">{t('funds_open_many', { count: rows.length })}</p>
          <Button size="sm" variant="ghost" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t(open ? 'funds_open_hide' : 'funds_open_show')}
          </Button>
        </div>
      ) : null}
      {shown.map((row) => (
        <Waiting key={row.orderNo} row={row} isOnly={rows.length === 1} />
      ))}
    </section>
  )
}

function Waiting({ row, isOnly }: { readonly row: CustomerOrderRow; readonly isOnly: boolean }) {
  const t = useTexts(fundsTexts)
  const p = useTexts(paymentTexts)
  const cache = useQueryClient()
  const cancel = async () => {
    const sure = { title: p('cancel_title'), body: p('cancel_about'), action: p('pending_cancel'), cancel: p('keep_order'), danger: true }
    if (!(await confirm(sure))) return
    try {
      await paymentsApi.cancelOrder({ orderNo: row.orderNo })
      forgetOrder(row.orderNo)
      toast.success(p('cancelled'))
    } catch (error) {
      if (isApiError(error)) toast.error(error.message)
    }
    await cache.invalidateQueries({ queryKey: ['payments', 'orders'] })
  }
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-2 text-14">
      <p className="min-w-0 flex-[1_1_240px] text-fg-2">
        {isOnly ? <b className="mr-2 font-semibold text-fg">{t('funds_open_many', { count: 1 })}</b> : null}
        <Link to="/orders/$orderNo" params={{ orderNo: row.orderNo }} className="link no-underline hover:underline">
          {t('funds_open_about', { title: row.title, amount: payDisplay(row.payAmount, row.payCurrency), time: displayTime(row.expireTime).slice(11) })}
        </Link>
      </p>
      <span className="flex gap-2 mobile:w-full mobile:[&>*]:flex-1">
        <Button size="sm" variant="ghost" onClick={() => void cancel()}>
          {t('funds_cancel')}
        </Button>
        <Button size="sm" variant="secondary" onClick={() => openDialog('recharge', { orderNo: row.orderNo })}>
          {t('funds_continue')}
        </Button>
      </span>
    </div>
  )
}
