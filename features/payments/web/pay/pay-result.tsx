import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { openDialog, useDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { QueryProvider } from '#platform/web/calls/query.tsx'
import { useSignedIn } from '#platform/web/state/session.ts'
import { site } from '#platform/web/site.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { Receipt } from '#ui/receipt.tsx'
import { Stamp } from '#ui/stamp.tsx'
import { toast } from '#ui/layers/toast.ts'
import { paymentTexts } from '../../texts.ts'
import { pageTexts } from '../../texts-pages.ts'
import { ORDER_TYPE } from '../../words.ts'
import { ContinueLink } from '../continue-link.tsx'
import { OrderLines, OrderNo, PaidLines } from '../order-lines.tsx'
import { formatPaidHeading } from './order-heading.ts'
import type { PaidOrderResult } from './pay-machine.ts'
import { paymentsApi } from '../payments-api.ts'
import { forgetOrder } from '../pending-order.ts'
import { ReceiptButton } from '../receipt-button.tsx'
import { usePaymentOrderTitle } from '../use-order-title.ts'
import { usePoll } from './use-poll.ts'
import { BALANCE_PATH, resolveReturnPath } from '../return-path.ts'
import { PAYMENTS_ABOUT_TEXT } from '../../labels/state-texts.ts'

/** Delay before the payer is asked: WeChat returns after five seconds, paid or not. */
const NOTICE_MS = 3000

interface PaymentResult {
  readonly status: 0 | 1 | 2
  readonly order?: PaidOrderResult
  readonly missing?: boolean
}

/** Return page of the channels. Outside the console, because another browser without a session may open it. */
export function PayResultPage() {
  return (
    <QueryProvider>
      <Page />
    </QueryProvider>
  )
}

function Page() {
  const t = useTexts(paymentTexts)
  const query = new URLSearchParams(location.search)
  const orderNo = query.get('orderNo') ?? ''
  return (
    <div className="mx-auto w-full min-h-[60vh] max-w-[480px] px-5 py-14 mobile:py-8">
      <h1 className="sr-only">{t('result_title')}</h1>
      {/^\d{8}-[0-9A-Z]{12}$/.test(orderNo) ? (
        <Result orderNo={orderNo} from={resolveReturnPath(query.get('redirect'))} />
      ) : (
        <ResultMessage title={t('result_missing')}>
          <p className="text-14 text-fg-2">{t('result_missing_about')}</p>
          <ToRecords />
        </ResultMessage>
      )}
    </div>
  )
}

/** Polls until the payment's outcome is known; after a while it asks the payer too. */
function useResult(orderNo: string) {
  const t = useTexts(paymentTexts)
  const signedIn = useSignedIn()
  const dialogOpen = useDialog('recharge') !== undefined
  const [seen, setSeen] = useState<PaymentResult>()
  const [asking, setAsking] = useState(false)
  const [checking, setChecking] = useState(false)
  const ask = async (signal?: AbortSignal) => {
    const next = await fetchResult(orderNo, signedIn, signal)
    if (next.status !== 0) forgetOrder(orderNo)
    setSeen(next)
  }
  const now = usePoll(ask, !dialogOpen && !seen?.missing && seen?.status !== 1 && seen?.status !== 2, undefined)
  useEffect(() => {
    void now()
  }, [now])
  useEffect(() => {
    const timer = setTimeout(() => setAsking(true), NOTICE_MS)
    return () => clearTimeout(timer)
  }, [])
  const check = async () => {
    setChecking(true)
    const result = await fetchResult(orderNo, signedIn).catch(() => undefined)
    setChecking(false)
    if (result) setSeen(result)
    if (!result || result.status === 0) toast.warning(t(result ? 'not_detected' : 'not_heard'))
  }
  return { seen, asking, checking, check }
}

function Result({ orderNo, from }: { readonly orderNo: string; readonly from: string | undefined }) {
  const t = useTexts(paymentTexts)
  const { seen, asking, checking, check } = useResult(orderNo)
  if (seen?.missing)
    return (
      <ResultMessage title={t('result_not_found')}>
        <OrderNo orderNo={orderNo} />
        <ToRecords />
      </ResultMessage>
    )
  if (seen?.status === 1) return <Paid orderNo={orderNo} order={seen.order} from={from} />
  if (seen?.status === 2) return <NotPaid orderNo={orderNo} order={seen.order} />
  if (!asking)
    return (
      <ResultMessage title={t('result_waiting')} mark={<span className="spinner inline-block text-28 text-brand" aria-hidden="true" />}>
        <OrderNo orderNo={orderNo} />
      </ResultMessage>
    )
  return <AskPayer orderNo={orderNo} order={seen?.order} checking={checking} onCheck={() => void check()} />
}

interface ResultProps {
  readonly orderNo: string
  /** Undefined in a browser without the payer's session. */
  readonly order: PaidOrderResult | undefined
}

function Paid({ orderNo, order, from }: ResultProps & { readonly from: string | undefined }) {
  const t = useTexts(paymentTexts)
  const page = useTexts(pageTexts)
  const title = usePaymentOrderTitle()
  return (
    <ResultMessage title={formatPaidHeading({ t, title }, order)} mark={<Stamp fresh />}>
      {order ? (
        <Receipt look="inline" label={t('receipt')} className="w-full text-left">
          <PaidLines order={order} />
        </Receipt>
      ) : (
        <p className="text-14 text-fg-2">{t('result_other_browser')}</p>
      )}
      <OrderNo orderNo={orderNo} />
      <div className="mt-1 flex w-full flex-wrap justify-center gap-3 mobile:[&>*]:w-full">
        <ContinueLink to={from ?? BALANCE_PATH} byItself={from !== undefined && isTopUp(order)} />
        {order ? <ReceiptButton orderNo={orderNo} size="lg" /> : null}
      </div>
      {order ? (
        <a href={`/orders/${orderNo}`} className="link text-14">
          {page('see_order')}
        </a>
      ) : null}
    </ResultMessage>
  )
}

function NotPaid({ orderNo, order }: ResultProps) {
  const t = useTexts(paymentTexts)
  const why = order?.state === 'integrity_failure' ? 'over_mismatch' : order?.state === 'cancelled' ? 'over_cancelled' : 'over_expired'
  return (
    <ResultMessage title={t(why)}>
      <p className="text-14 text-fg-2">{t(PAYMENTS_ABOUT_TEXT[why], { email: site.supportEmail })}</p>
      <OrderNo orderNo={orderNo} />
      <ToRecords />
    </ResultMessage>
  )
}

/** Asks the payer, while no payment has been reported. */
function AskPayer({ orderNo, order, checking, onCheck }: ResultProps & { readonly checking: boolean; readonly onCheck: () => void }) {
  const t = useTexts(paymentTexts)
  const signedIn = useSignedIn()
  return (
    <ResultMessage title={t('result_ask')}>
      <p className="text-14 text-fg-2">{t('result_ask_about')}</p>
      {order ? (
        <Receipt look="flat" label={t('receipt')} className="w-full text-left">
          <OrderLines order={order} />
        </Receipt>
      ) : null}
      <OrderNo orderNo={orderNo} />
      <div className="mt-1 flex w-full flex-wrap justify-center gap-3 mobile:[&>*]:flex-1">
        <Button size="lg" loading={checking} onClick={onCheck}>
          {t('result_done')}
        </Button>
        {signedIn ? (
          <Button size="lg" variant="secondary" onClick={() => openDialog('recharge', { orderNo })}>
            {t('result_again')}
          </Button>
        ) : (
          <a href={`/login?redirect=${encodeURIComponent(`/orders/${orderNo}`)}`} className={getButtonClass('secondary', 'lg')}>
            {t('result_again')}
          </a>
        )}
      </div>
    </ResultMessage>
  )
}

/** Only a recharge continues automatically; after the purchase of a service the page shows its outcome. */
function isTopUp(order: PaidOrderResult | undefined): boolean {
  return order?.orderType === ORDER_TYPE.OPENAI_API || order?.orderType === ORDER_TYPE.RECHARGE
}

/** Fetches the whole order if it belongs to the user, else only whether it is paid. */
async function fetchResult(orderNo: string, signedIn: boolean, signal?: AbortSignal): Promise<PaymentResult> {
  try {
    if (signedIn) {
      const order = await paymentsApi.tradeStatus({ orderNo }, { signal })
      return { status: order.payStatus, order }
    }
  } catch (error) {
    if (!isApiError(error) || error.errorName !== 'ORDER_NOT_FOUND') throw error
  }
  try {
    return { status: (await paymentsApi.unAuthTradeStatus({ orderNo }, { signal })).payStatus }
  } catch (error) {
    if (isApiError(error) && error.errorName === 'ORDER_NOT_FOUND') return { status: 0, missing: true }
    throw error
  }
}

function ToRecords() {
  const t = useTexts(paymentTexts)
  return (
    <a href="/api?tab=rechargeRecord" className={getButtonClass('secondary', 'md')}>
      {t('result_to_records')}
    </a>
  )
}

function ResultMessage({ title, mark, children }: { readonly title: string; readonly mark?: ReactNode; readonly children: ReactNode }) {
  return (
    <section role="status" className="flex flex-col items-center gap-3 text-center">
      {mark ? <div className="py-2">{mark}</div> : null}
      <h2 className="text-20 font-bold">{title}</h2>
      {children}
    </section>
  )
}
