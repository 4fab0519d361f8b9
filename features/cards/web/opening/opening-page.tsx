import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { OPENING_STEPS } from '#features/identity/contract-words.ts'
import type { OpeningStep } from '#features/identity/contract-words.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { CARD_TYPES, OPENING_STATUS } from '../../words.ts'
import type { CardType } from '../../words.ts'
import { cardsApi } from '../cards-api.ts'
import { FaceStep } from './face-step.tsx'
import { OpeningMethodStep, OpeningNoticeStep, TaxpayerStep, RadioCards } from './first-steps.tsx'
import { flowApi } from './opening-api.ts'
import { PapersStep } from './papers/papers-step.tsx'
import { PaymentStep } from './payment-step.tsx'
import { OpeningShell } from './shell.tsx'
import { OpeningSlip, OpeningSlipBar } from './slip.tsx'
import { StepFrame } from './step-frame.tsx'
import { openingTexts } from './texts.ts'
import { isStepBefore, useOpeningFlow, useSetOpeningFlow } from './use-opening.ts'
import { createApi } from '#platform/web/calls/api.ts'
import { accountContract } from '#features/account/contract.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { useCardAmount } from '../use-cards.ts'

/** Choice of Standard or Pro, side by side with price, years and uses. The URL holds the choice. */
function TypeChoice({ type, isFirst }: { readonly type: CardType; readonly isFirst: boolean }) {
  const t = useTexts(openingTexts)
  const amount = useCardAmount().data
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const choose = (next: string) => void navigate({ to: '.', search: { ...search, type: next }, replace: true })
  if (!amount) return null
  const price = displayUsd(isFirst ? amount.openAccount : amount.multipleCard)
  const about = {
    standard: t('type_standard_about', { years: amount.standardYears, price }),
    pro: t('type_pro_about', { years: amount.proYears, price: displayUsd(amount.proCard) }),
  }
  const title = { standard: t('kind_standard'), pro: t('kind_pro') }
  return (
    <section aria-labelledby="card-type" className="mb-6">
      <h2 id="card-type" className="mb-2 text-14 font-semibold">
        {t('type_title')}
      </h2>
      <RadioCards
        name="card-type"
        label={t('type_title')}
        value={type}
        onChange={choose}
        options={CARD_TYPES.map((one) => ({ value: one, title: title[one], about: about[one] }))}
      />
      <p className="text-13 text-fg-3">{t('type_fixed')}</p>
    </section>
  )
}

const api = createApi({ info: accountContract.info })

/** The account's e-mail address, which issuers require; null without one. */
async function fetchProfile(signal: AbortSignal): Promise<{ email: string | null }> {
  const { email } = await api.info({}, { signal })
  return { email: email || null }
}

/** URLs that lead into the middle of the flow, for users who have reached that step. */
const STEP_BY_PATH: Readonly<Record<string, OpeningStep>> = {
  '/open-account-payment': 'payment',
  '/verify-information-for-existing-user': 'papers',
  '/face-verify-for-existing-user': 'face',
  '/face-verify': 'face',
}
const POLL_MS = 3000

/** Account opening, from the notice to the payment. */
export function OpeningPage() {
  return (
    <OpeningShell>
      <Opening />
    </OpeningShell>
  )
}

/** Price and progress of the order; `isFurther` while a member with a card has not ordered another one yet. */
function useOpeningPrice(type: CardType, method: string | null | undefined) {
  const price = useQuery({
    queryKey: ['cards', 'opening', type, method ?? ''],
    queryFn: ({ signal }) => cardsApi.opening({ type }, { signal }),
    enabled: method !== undefined,
    refetchInterval: ({ state }) => (state.data?.status === 1 || state.data?.status === 2 ? POLL_MS : false),
  })
  const refetchPrice = price.refetch
  const [isOrdered, setOrdered] = useState(false)
  const onPaidOnce = useCallback(() => {
    setOrdered(true)
    void refetchPrice()
  }, [refetchPrice])
  const status = price.data?.status
  useEffect(() => {
    if (status === OPENING_STATUS.OPENING || status === OPENING_STATUS.SUBMITTED) setOrdered(true)
  }, [status])
  // A member with a card orders a further one.
  const isFurther = status === OPENING_STATUS.OPENED && !isOrdered
  const isChoosing = isFurther || status === OPENING_STATUS.HOLDER_SAVED || status === OPENING_STATUS.NONE
  return { price, isFurther, isChoosing, onPaidOnce }
}

function Opening() {
  const t = useTexts(openingTexts)
  const search = useSearch({ strict: false }) as { type?: string; step?: string }
  const type: CardType = CARD_TYPES.find((one) => one === search.type) ?? 'standard'
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { data: flow, error, refetch } = useOpeningFlow()
  const setFlow = useSetOpeningFlow()
  const [shown, setShown] = useState<OpeningStep | undefined>(() => STEP_BY_PATH[pathname] ?? OPENING_STEPS.find((one) => one === search.step))
  const { price, isFurther, isChoosing, onPaidOnce } = useOpeningPrice(type, flow?.method)
  const me = useQuery({ queryKey: ['account', 'email'], queryFn: ({ signal }) => fetchProfile(signal), staleTime: 60_000 })
  const onDone = useCallback(() => {
    setShown(undefined)
    window.scrollTo({ top: 0 })
  }, [])
  useEffect(() => {
    if (pathname in STEP_BY_PATH && flow && STEP_BY_PATH[pathname] !== flow.step) void navigate({ to: '/open-account', search: search, replace: true })
  }, [pathname, flow, navigate, search])
  if (!flow)
    return error ? (
      <ErrorState error={error} title={t('loadFailed')} onRetry={() => void refetch()} />
    ) : (
      <div className="grid gap-14 desktop:grid-cols-[312px_minmax(0,1fr)]">
        <Skeleton className="h-[420px] mobile:h-10" />
        <Skeleton className="h-[420px]" />
      </div>
    )
  // do not show steps that have not been reached
  const step = shown && !isStepBefore(flow.step, shown) ? shown : flow.step
  const go = (to: OpeningStep) => {
    const reopen = to === 'papers' && !isStepBefore(flow.step, 'face')
    if (!reopen) return setShown(to)
    void flowApi.accountUpdate({}).then(
      (now) => {
        setFlow(now)
        setShown('papers')
      },
      () => undefined,
    )
  }
  const back = OPENING_STEPS[OPENING_STEPS.indexOf(step) - 1]
  const onBack = back && flow.status !== 'passed' ? () => go(step === 'payment' ? 'papers' : back) : undefined
  const props = { flow, onDone, ...(onBack ? { onBack } : {}) }
  const slip = { flow, shown: step, type, price: price.data, onGo: go }
  return (
    <div className="grid items-start gap-14 desktop:grid-cols-[312px_minmax(0,1fr)] mobile:gap-0">
      <OpeningSlip {...slip} />
      <div className="min-w-0">
        <OpeningSlipBar {...slip} />
        {step === 'notice' || (step === 'payment' && isChoosing) ? <TypeChoice type={type} isFirst={price.data?.orderType !== 2} /> : null}
        {flow.status === 'rejected' && flow.reason !== 'us_taxpayer' ? (
          <StepFrame title={t('rejected_title')} lead={t('rejected_about')} />
        ) : flow.status === 'review' && step === 'payment' ? (
          <StepFrame title={t('review_title')} lead={t('review_about')} />
        ) : step === 'notice' ? (
          <OpeningNoticeStep {...props} type={type} />
        ) : step === 'taxpayer' ? (
          <TaxpayerStep {...props} />
        ) : step === 'method' ? (
          <OpeningMethodStep {...props} />
        ) : step === 'papers' ? (
          <PapersStep {...props} needsEmail={me.data?.email === null} />
        ) : step === 'face' ? (
          <FaceStep {...props} />
        ) : price.isError && !price.data ? (
          <ErrorState error={price.error} title={t('priceFailed')} onRetry={() => void price.refetch()} />
        ) : (
          <PaymentStep {...props} type={type} price={price.data} isFurther={isFurther} onPaidOnce={onPaidOnce} />
        )}
      </div>
    </div>
  )
}
