import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { site } from '#platform/web/site.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { CheckboxField } from '#ui/fields/checkbox-field.tsx'
import { paymentTexts } from '../../texts.ts'
import { noticeTexts } from '../../texts-notice.ts'
import { pageTexts } from '../../texts-pages.ts'
import { leaveForChannel } from '../pay/leave.ts'
import { PaymentsNotice } from '../notice.tsx'
import { OrderNo } from '../order-lines.tsx'
import { ordersApi } from '../pages-api.ts'
import { paymentsApi } from '../payments-api.ts'
import { parseOwnPath } from '#platform/shared/own-path.ts'
import type { ChosenMethod } from '../pay/pay-machine.ts'

interface NoticeQuery {
  readonly orderNo: string
  /** Payment method to use after reading; absent if the URL names none. */
  readonly method?: ChosenMethod
  /** Path of this site that the payer came from. */
  readonly redirect?: string
}

/** Parses the URL of /pay-notice; undefined if it names no order. */
export function parseNoticeQuery(search: string): NoticeQuery | undefined {
  const query = new URLSearchParams(search)
  const orderNo = query.get('orderNo') ?? ''
  if (!/^\d{8}-[0-9A-Z]{12}$/.test(orderNo)) return undefined
  const [channelType, transactionType, tradeFrom] = [Number(query.get('channelType')), Number(query.get('transactionType')), query.get('tradeFrom')]
  const isMethod = Number.isInteger(channelType) && channelType > 0 && Number.isInteger(transactionType) && transactionType > 0
  const redirect = parseOwnPath(query.get('redirect') ?? undefined)
  return {
    orderNo,
    ...(isMethod && (tradeFrom === 'H5' || tradeFrom === 'QRCODE') ? { method: { channelType, transactionType, tradeFrom } } : {}),
    ...(redirect ? { redirect } : {}),
  }
}

const NOTICE_TEXT = {
  dispute: 'notice_dispute',
  fee: 'notice_fee',
  refund: 'notice_refund',
  own: 'notice_own',
  payee: 'notice_payee',
  scam: 'notice_scam',
  credit: 'notice_credit',
} as const
const NOTICE_ABOUT_TEXT = {
  dispute: 'notice_dispute_about',
  fee: 'notice_fee_about',
  refund: 'notice_refund_about',
  own: 'notice_own_about',
  payee: 'notice_payee_about',
  scam: 'notice_scam_about',
  credit: 'notice_credit_about',
} as const

const RULES = ['own', 'payee', 'scam', 'credit', 'fee', 'refund', 'dispute'] as const

/** Notice to read before paying. With an order in the URL it counts as read for that order, and payment continues from here. */
export function PayNoticePage() {
  const t = useTexts(noticeTexts)
  const query = parseNoticeQuery(location.search)
  return (
    <div className="mx-auto w-full max-w-[640px] px-5 py-12 mobile:py-8">
      <h1 className="text-28 font-bold mobile:text-20">{t('notice_title')}</h1>
      <p className="mt-2 text-14 text-fg-2">{t('notice_about')}</p>
      <ol className="mt-6 divide-y divide-line rounded-card border border-line bg-surface">
        {RULES.map((rule, at) => (
          <li key={rule} className="grid grid-cols-[28px_minmax(0,1fr)] gap-x-2 px-5 py-4 mobile:px-4">
            <span className="num text-14 text-fg-3" aria-hidden="true">
              {at + 1}
            </span>
            <div>
              <h2 className="text-14 font-semibold">{t(NOTICE_TEXT[rule])}</h2>
              <p className="mt-0.5 text-14 text-fg-2">{t(NOTICE_ABOUT_TEXT[rule], { email: site.supportEmail })}</p>
            </div>
          </li>
        ))}
      </ol>
      {query ? <Agree query={query} /> : null}
    </div>
  )
}

type Stage = 'reading' | 'busy' | 'read' | 'over'

function Agree({ query }: { readonly query: NoticeQuery }) {
  const t = useTexts(noticeTexts)
  const p = useTexts(paymentTexts)
  const page = useTexts(pageTexts)
  const signedIn = useSignedIn()
  const [agreed, setAgreed] = useState(false)
  const [missed, setMissed] = useState(false)
  const [stage, setStage] = useState<Stage>('reading')
  const [failure, setFailure] = useState<string>()
  const { orderNo, method, redirect } = query
  const paysHere = method?.tradeFrom === 'H5' && signedIn
  const go = async () => {
    if (!agreed) return setMissed(true)
    setStage('busy')
    setFailure(undefined)
    try {
      const { payable } = await ordersApi.noticeRead({ orderNo })
      if (!payable) return setStage('over')
      if (!paysHere) return setStage('read')
      const params = await paymentsApi.payParam({ order_id: orderNo, ...method, ...(redirect ? { redirectUrl: redirect } : {}) })
      if (!leaveForChannel(params)) setStage('read')
    } catch (error) {
      setFailure(isApiError(error) ? error.message : p('openFailed'))
      setStage('reading')
    }
  }
  if (stage === 'read' || stage === 'over')
    return (
      <div className="mt-6 grid gap-3" role="status">
        <PaymentsNotice tone={stage === 'read' ? 'info' : 'warning'} title={t(stage === 'read' ? 'notice_done' : 'notice_over')}>
          <p>{t(stage === 'over' ? 'notice_over_about' : method?.tradeFrom === 'H5' ? 'notice_done_phone' : 'notice_done_about')}</p>
        </PaymentsNotice>
        <OrderNo orderNo={orderNo} />
        {stage === 'over' || method?.tradeFrom === 'H5' ? (
          <a href={`/orders/${orderNo}`} className={getButtonClass('secondary', 'md', 'justify-self-start')}>
            {page('see_order')}
          </a>
        ) : null}
      </div>
    )
  return (
    <form
      className="mt-6 grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (stage !== 'busy') void go()
      }}
    >
      <CheckboxField
        label={t('notice_agree')}
        checked={agreed}
        error={missed && !agreed ? t('notice_agree_first') : undefined}
        onChange={(event) => setAgreed(event.target.checked)}
      />
      <div role="alert" className="empty:-mt-3">
        {failure ? <PaymentsNotice tone="danger">{failure}</PaymentsNotice> : null}
      </div>
      <Button type="submit" size="lg" className="mobile:w-full desktop:justify-self-start" loading={stage === 'busy'}>
        {t(paysHere ? 'notice_pay' : 'notice_go')}
      </Button>
      <OrderNo orderNo={orderNo} />
    </form>
  )
}
