import { lazy, Suspense, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { QrTile } from '#ui/qr-tile.tsx'
import { Receipt } from '#ui/receipt.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { toast } from '#ui/layers/toast.ts'
import { paymentTexts } from '../../../texts.ts'
import { MethodIcon, useMethodName } from '../../method-mark.tsx'
import { PaymentsNotice } from '../../notice.tsx'
import { OrderLines, OrderNo } from '../../order-lines.tsx'
import type { PayState } from '../pay-machine.ts'
import { RedirectPay } from '../redirect-pay.tsx'
import { formatClock, useCountdown } from '#ui/time/countdown.tsx'
import type { Pay } from '../use-pay.ts'

const FormPay = lazy(() => import('../form-pay.tsx').then((m) => ({ default: m.FormPay })))

type OpenPayState = Extract<PayState, { step: 'opening' | 'ready' }>

/** QR code, link or form on the left; the receipt on the right, the same for every form. */
export function PayOrderStep({ state, pay }: { readonly state: OpenPayState; readonly pay: Pay }) {
  const t = useTexts(paymentTexts)
  const [checking, setChecking] = useState(false)
  const check = async () => {
    setChecking(true)
    const known = await pay.check()
    setChecking(false)
    if (known !== 'settled') toast.warning(t(known === 'open' ? 'not_detected' : 'not_heard'))
  }
  const method = useMethodName(state.method)
  const isForm = state.step === 'ready' && state.params.form === 'form'
  return (
    <div className={isForm ? 'grid gap-5' : 'grid gap-6 desktop:grid-cols-[196px_minmax(0,1fr)] desktop:gap-8'}>
      <div className={isForm ? 'min-w-0' : 'justify-self-center desktop:justify-self-start'}>
        {state.step === 'opening' ? <QrTile value={undefined} state="loading" caption={t('opening', { method })} /> : <Way state={state} pay={pay} />}
      </div>
      <div className="min-w-0">
        <Receipt look="flat" label={t('receipt')}>
          <OrderLines order={state.order} />
        </Receipt>
        <div className="mt-1">
          <OrderNo orderNo={state.order.orderNo} />
        </div>
        {state.step === 'ready' && state.doubt ? (
          <div className="mt-3" role="status">
            <PaymentsNotice tone="warning">{t('doubt')}</PaymentsNotice>
          </div>
        ) : null}
        <div className="mt-4 flex flex-wrap gap-3 mobile:[&>*]:flex-1">
          <Button loading={checking} disabled={state.step === 'opening'} onClick={() => void check()}>
            {t('i_have_paid')}
          </Button>
          <Button variant="secondary" disabled={state.step === 'opening'} onClick={pay.changeMethod}>
            {t('change_method')}
          </Button>
        </div>
      </div>
    </div>
  )
}

interface WayProps {
  readonly state: Extract<PayState, { step: 'ready' }>
  readonly pay: Pay
}

function Way({ state, pay }: WayProps) {
  if (state.params.form === 'redirect') return <RedirectPay state={state} pay={pay} />
  if (state.params.form === 'form')
    return (
      <Suspense fallback={<Skeleton className="h-[420px]" />}>
        <FormPay key={state.until} state={state} pay={pay} />
      </Suspense>
    )
  return <QrPay state={state} pay={pay} />
}

function QrPay({ state, pay }: WayProps) {
  const t = useTexts(paymentTexts)
  const seconds = useCountdown(state.until, pay.codeExpired)
  const method = useMethodName(state.method)
  const reopen = () => void pay.open(state.order, state.method)
  const ownCashier = state.params.payUrl.startsWith(`${location.origin}/sandbox/`)
  return (
    <div className="relative">
      <QrTile
        value={state.params.qr}
        state={state.code === 'expired' || !state.params.qr ? 'expired' : 'active'}
        onRefresh={reopen}
        caption={
          state.code === 'active' ? (
            <>
              <span className="flex items-center justify-center gap-1.5">
                <MethodIcon method={state.method} size={18} />
                {t('scan', { method })}
              </span>
              <span className="tabular">{t('code_left', { left: formatClock(seconds) })}</span>
              {ownCashier ? (
                <a href={state.params.payUrl} target="_blank" rel="noopener" className="mt-1 block">
                  {t('open_cashier')}
                </a>
              ) : null}
            </>
          ) : null
        }
      />
      {state.scanned && state.code === 'active' ? (
        <p className="absolute inset-x-px top-px flex h-[194px] items-center justify-center rounded-card bg-white/95 px-5 text-center text-14 font-semibold text-paper-fg">
          {t('scanned')}
        </p>
      ) : null}
      <p className="sr-only" role="status">
        {state.code === 'expired' ? t('code_expired') : state.scanned ? t('scanned') : seconds <= 60 && seconds > 55 ? t('left_60') : ''}
      </p>
    </div>
  )
}
