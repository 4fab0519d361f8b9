import { lazy, Suspense, useEffect, useRef } from 'react'
import { closeDialog, useDialog } from '#platform/web/state/dialogs.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { QueryProvider } from '#platform/web/calls/query.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { ChannelRow } from '../../contract-shapes.ts'
import { paymentTexts } from '../../texts.ts'
import { ORDER_TYPE } from '../../words.ts'
import { AmountStep } from './steps/amount-step.tsx'
import { canOpenChannel } from './leave.ts'
import { ChooseStep, DoneStep, EndedStep, UnknownStep } from './steps/other-steps.tsx'
import { formatPayHeading } from './order-heading.ts'
import { PayOrderStep } from './steps/pay-step.tsx'
import { PendingOrderStrip } from '../pending-strip.tsx'
import { usePaymentOrderTitle } from '../use-order-title.ts'
import { usePay } from './use-pay.ts'

/** Steps that few payers see are loaded on demand. */
const BalanceStep = lazy(() => import('./steps/balance-step.tsx').then((m) => ({ default: m.BalanceStep })))
const IdentityStep = lazy(() => import('./steps/identity-step.tsx').then((m) => ({ default: m.IdentityStep })))
const MethodStep = lazy(() => import('./method/method-step.tsx').then((m) => ({ default: m.PayMethodStep })))
const NoticeStep = lazy(() => import('./steps/notice-step.tsx').then((m) => ({ default: m.PayNoticeStep })))

/** Dialog of `openDialog('recharge')`: amount, payment, receipt. Closing it loses nothing: the order stays in the strip. */
export function BalanceRechargeDialog() {
  return (
    <QueryProvider>
      <Recharge />
    </QueryProvider>
  )
}

/** Dialogs render outside the pages, so they provide the query cache themselves. */
function Recharge() {
  const t = useTexts(paymentTexts)
  const title = usePaymentOrderTitle()
  const asked = useDialog('recharge')
  const open = asked !== undefined
  const pay = usePay(open)
  const { state, restart, restore } = pay
  const last = useRef<typeof asked>(undefined)
  useEffect(() => {
    if (!asked || asked === last.current) return
    last.current = asked
    restart()
    if (asked.orderNo) void restore(asked.orderNo)
  }, [asked, restart, restore])

  // Keep the last content during the closing animation.
  const ask = (asked ?? last.current)?.ask
  const mobile = useIsMobile()
  const create = (amount: string, row: ChannelRow | undefined) => {
    if (canOpenChannel(row ?? { tradeFrom: mobile ? 'H5' : 'QRCODE', transactionType: 0 })) void pay.create(amount, row, ask)
  }
  const size = state.step === 'ready' || state.step === 'opening' || state.step === 'notice' ? 'lg' : 'md'
  return (
    <Dialog open={open} onClose={() => closeDialog('recharge')} title={formatPayHeading({ t, title }, state, ask)} size={size}>
      {state.step === 'amount' && ask ? (
        <Suspense fallback={<Skeleton className="h-60" />}>
          <MethodStep ask={ask} busy={state.busy} error={state.error} onPay={create} />
        </Suspense>
      ) : null}
      {state.step === 'amount' && !ask ? (
        <AmountStep
          key={last.current?.amount ?? ''}
          busy={state.busy}
          error={state.error}
          wished={asked?.amount ?? last.current?.amount}
          onPay={create}
          above={state.busy ? null : <PendingOrderStrip inDialog />}
        />
      ) : null}
      {state.step === 'opening' || state.step === 'ready' ? <PayOrderStep state={state} pay={pay} /> : null}
      {state.step === 'notice' ? (
        <Suspense fallback={<Skeleton className="h-60" />}>
          <NoticeStep state={state} pay={pay} />
        </Suspense>
      ) : null}
      {state.step === 'identity' ? (
        <Suspense fallback={<Skeleton className="h-60" />}>
          <IdentityStep state={state} />
        </Suspense>
      ) : null}
      {state.step === 'balance' ? (
        <Suspense fallback={<Skeleton className="h-60" />}>
          <BalanceStep state={state} pay={pay} />
        </Suspense>
      ) : null}
      {state.step === 'choosing' ? <ChooseStep state={state} pay={pay} /> : null}
      {state.step === 'unknown' ? <UnknownStep state={state} pay={pay} /> : null}
      {state.step === 'succeeded' ? <DoneStep order={state.order} onDone={() => closeDialog('recharge')} /> : null}
      {state.step === 'over' ? (
        <EndedStep order={state.order} why={state.why} onAgain={ask || state.order.orderType === ORDER_TYPE.OPENAI_API ? pay.restart : undefined} />
      ) : null}
    </Dialog>
  )
}
