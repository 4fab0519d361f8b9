import { Check, Save, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import type { OpeningFlow } from '#features/identity/contract.ts'
import { OPENING_STEPS } from '#features/identity/contract-words.ts'
import type { OpeningStep } from '#features/identity/contract-words.ts'
import { Leader, Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Sheet } from '#ui/layers/sheet.tsx'
import type { cardsContract } from '../../contract.ts'
import type { CardType } from '../../words.ts'
import { openingTexts } from './texts.ts'
import { isStepBefore, indexOfStep } from './use-opening.ts'
import { CARDS_KIND_TEXT } from './state-texts.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

const NOW_TEXT = {
  method: 'now_method',
  papers: 'now_papers',
  notice: 'now_notice',
  taxpayer: 'now_taxpayer',
  face: 'now_face',
  payment: 'now_payment',
} as const
const STEP_TEXT = {
  method: 'step_method',
  papers: 'step_papers',
  notice: 'step_notice',
  taxpayer: 'step_taxpayer',
  face: 'step_face',
  payment: 'step_payment',
} as const
const DONE_METHOD_TEXT = { deposit: 'done_method_deposit', face: 'done_method_face' } as const
const DONE_TEXT = { papers: 'done_papers', notice: 'done_notice', taxpayer: 'done_taxpayer', face: 'done_face', payment: 'done_payment' } as const

export type OpeningOffer = ReplyOf<typeof cardsContract.opening>
interface SlipProps {
  readonly flow: OpeningFlow
  readonly shown: OpeningStep
  readonly type: CardType
  readonly price: OpeningOffer | undefined
  readonly onGo: (step: OpeningStep) => void
}

/** Stepper in the form of a receipt: each step prints its outcome, and the price is below from the first step on. */
export function OpeningSlip(props: SlipProps) {
  const t = useTexts(openingTexts)
  const { flow } = props
  return (
    <aside className="mobile:hidden">
      <Paper {...props} />
      <p className="mt-4 flex gap-2 text-13 text-fg-2">
        <Save size={16} strokeWidth={1.75} className="mt-0.5 shrink-0" aria-hidden="true" />
        {t('savedTo', { at: indexOfStep(flow.step) + 1 })}
      </p>
      <p className="mt-2 flex gap-2 text-13 text-fg-2">
        <ShieldCheck size={16} strokeWidth={1.75} className="mt-0.5 shrink-0" aria-hidden="true" />
        {t('photosKept', { days: flow.photoDays })}
      </p>
    </aside>
  )
}

function Paper({ flow, shown, type, price, onGo }: SlipProps) {
  const t = useTexts(openingTexts)
  // a paid card shows the price of its own order; today's price is that of another card
  const cost = price?.paid ?? price
  return (
    <Receipt look="inline" label={t('slipTitle')}>
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-16 font-bold">{t('slipTitle')}</h2>
        <span className="text-13 text-fg-3">{t(CARDS_KIND_TEXT[type])}</span>
      </div>
      <ReceiptRule />
      <ol className="grid gap-0.5">
        {OPENING_STEPS.map((step) => (
          <Line key={step} step={step} flow={flow} shown={shown} paid={(price?.status ?? 0) > 0 && price?.status !== 5 && price?.orderNo != null} onGo={onGo} />
        ))}
      </ol>
      {cost ? (
        <>
          <ReceiptRule />
          <ReceiptRow label={t(cost.orderType === 2 ? 'price_2' : 'price_1', { kind: t(CARDS_KIND_TEXT[type]) })} value={displayUsd(cost.price)} />
          {cost.deposit === '0' ? null : <ReceiptRow label={t('deposit')} value={displayUsd(cost.deposit)} />}
          <ReceiptRule />
          <ReceiptRow strong label={t('due')} value={displayUsd(cost.total)} note={t('feeLater')} />
        </>
      ) : null}
    </Receipt>
  )
}

function Line({ step, flow, shown, paid, onGo }: Pick<SlipProps, 'flow' | 'shown' | 'onGo'> & { readonly step: OpeningStep; readonly paid: boolean }) {
  const t = useTexts(openingTexts)
  const isDone = isStepBefore(step, flow.step) || (step === 'payment' && paid)
  const isNow = step === shown && !isDone
  const isShown = step === shown
  const result = isDone ? formatDoneStep(step, flow, t) : isNow ? t(NOW_TEXT[step]) : step === 'face' && flow.method !== 'deposit' ? t('later_face') : ''
  // a passed or paid step is not opened again
  const canGo = isDone && step !== 'face' && step !== 'payment' && flow.status !== 'passed' && flow.identityInfoStatus !== 2
  const name = canGo ? (
    <button type="button" onClick={() => onGo(step)} className="min-h-8 text-left hover:underline">
      {t(STEP_TEXT[step])}
    </button>
  ) : (
    <span>{t(STEP_TEXT[step])}</span>
  )
  return (
    <li
      aria-current={isShown ? 'step' : undefined}
      className={`receipt-row min-h-9 items-center text-14 ${isNow || isShown ? 'font-bold' : isDone ? '' : 'text-fg-3'}`}
    >
      <span className={`num w-4 shrink-0 text-13 ${isNow ? 'text-brand-text' : ''}`} aria-hidden="true">
        {isDone ? <Check size={14} strokeWidth={2.25} className="text-success" /> : indexOfStep(step) + 1}
      </span>
      {name}
      <Leader />
      <span className={`text-13 ${isNow ? 'text-brand-text' : 'font-normal text-fg-3'}`}>{result}</span>
    </li>
  )
}

function formatDoneStep(step: OpeningStep, flow: OpeningFlow, t: ReturnType<typeof useTexts<TextKeyOf<typeof openingTexts>>>): string {
  if (step === 'method') return t(DONE_METHOD_TEXT[flow.method ?? 'face'])
  if (step === 'face' && flow.method === 'deposit') return t('done_face_deposit')
  return t(DONE_TEXT[step])
}

/** 414: current step, six segments, and a link with the sum that opens the slip. */
export function OpeningSlipBar(props: SlipProps) {
  const t = useTexts(openingTexts)
  const [open, setOpen] = useState(false)
  const { shown, price, flow } = props
  return (
    <div className="mb-5 desktop:hidden">
      <div className="flex items-baseline justify-between gap-3 text-13">
        <p>
          <span className="font-bold">{t('stepOf', { at: indexOfStep(shown) + 1, of: OPENING_STEPS.length })}</span>
          <span className="ml-3 font-medium text-fg-2">{t(STEP_TEXT[shown])}</span>
        </p>
        <button type="button" onClick={() => setOpen(true)} className="link min-h-8 shrink-0">
          {t('slip')} <span className="num">{price ? displayUsd((price.paid ?? price).total) : ''}</span>
        </button>
      </div>
      <div className="mt-2 grid grid-cols-6 gap-1" aria-hidden="true">
        {OPENING_STEPS.map((step) => (
          <span
            key={step}
            className={`h-1 rounded-full ${isStepBefore(step, flow.step) ? 'bg-brand' : step === shown ? 'bg-gradient-to-r from-brand from-50% to-line to-50%' : 'bg-line'}`}
          />
        ))}
      </div>
      <Sheet open={open} onClose={() => setOpen(false)} title={t('slipTitle')}>
        <Paper
          {...props}
          onGo={(step) => {
            setOpen(false)
            props.onGo(step)
          }}
        />
        <p className="mt-4 text-13 text-fg-2">{t('photosKept', { days: flow.photoDays })}</p>
      </Sheet>
    </div>
  )
}
