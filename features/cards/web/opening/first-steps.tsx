import { useState } from 'react'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { openDialog } from '#platform/web/state/dialogs.ts'
import type { OpeningFlow } from '#features/identity/contract.ts'
import type { IdentityMethod } from '#features/identity/contract-words.ts'
import { Badge } from '#ui/badge.tsx'
import { CheckboxField } from '#ui/fields/checkbox-field.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Button } from '#ui/button.tsx'
import { Receipt, ReceiptRow } from '#ui/receipt.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { CardType } from '../../words.ts'
import { useCardAmount } from '../use-cards.ts'
import { flowApi } from './opening-api.ts'
import { StepFrame } from './step-frame.tsx'
import { openingTexts } from './texts.ts'
import { useSetOpeningFlow } from './use-opening.ts'
import { CARDS_METHOD_TEXT } from './state-texts.ts'

export interface OpeningStepProps {
  readonly flow: OpeningFlow
  /** Called once the step is done; the page then shows the flow's current step. */
  readonly onDone: () => void
  readonly onBack?: () => void
}
export function OpeningNoticeStep({ flow, onDone, type }: OpeningStepProps & { readonly type: CardType }) {
  const t = useTexts(openingTexts)
  const { data: amount, isPending } = useCardAmount()
  const setFlow = useSetOpeningFlow()
  const { run, isRunning, failure } = useSubmit()
  const [agreed, setAgreed] = useState(flow.step !== 'notice')
  const [error, setError] = useState(false)
  const next = () => {
    setError(!agreed)
    if (agreed)
      void run(async () => {
        setFlow(await flowApi.readNotice({ agreed: true }))
        onDone()
      })
  }
  // figures that load later would move the button while it is being pressed
  if (isPending) return <Skeleton className="h-[420px]" />
  const facts = [
    t('notice_1'),
    t('notice_2'),
    ...(amount
      ? [
          t('notice_3', { low: amount.monthlyLimit, high: amount.monthlyLimitIdentified }),
          t('notice_4', { times: amount.refusalsClose, ...amount.refusalRate }),
          t('notice_first', { min: amount.firstMinimum, fee: amount.activationFee }),
        ]
      : []),
    t('notice_5'),
  ]
  return (
    <StepFrame title={t('notice_title')} lead={t('notice_lead')} next={{ text: t('notice_next'), onPress: next, busy: isRunning }} failure={failure}>
      <ol className="grid gap-3 text-14">
        {facts.map((fact, at) => (
          <li key={fact} className="flex gap-3 border-t border-line pt-3">
            <span className="num w-5 shrink-0 text-fg-3">{at + 1}</span>
            <span className="max-w-[600px]">{fact}</span>
          </li>
        ))}
      </ol>
      {amount ? (
        <div className="mt-6 max-w-[460px]">
          <h2 className="mb-1 text-14 font-semibold">{t('notice_fees')}</h2>
          <Receipt look="flat">
            <ReceiptRow
              label={t(type === 'pro' ? 'fee_open_pro' : 'fee_open', { years: amount.membershipYears })}
              value={displayUsd(type === 'pro' ? amount.proCard : amount.openAccount)}
            />
            <ReceiptRow label={t('fee_recharge')} value={`${amount.feeRechargePercent}%`} note={t('fee_recharge_note')} />
            <ReceiptRow label={t('fee_activation')} value={displayUsd(amount.activationFee)} />
            <ReceiptRow label={t('fee_abroad')} value={`${amount.feeAbroadPercent}%`} />
            <ReceiptRow label={t('fee_refund')} value={`${amount.feeRefundPercent}%`} />
            <ReceiptRow label={t('fee_reversal')} value={displayUsd(amount.feeReversal)} note={t('fee_reversal_note')} />
          </Receipt>
        </div>
      ) : null}
      <CheckboxField
        className="mt-6"
        checked={agreed}
        onChange={(event) => setAgreed(event.target.checked)}
        error={error && !agreed ? t('notice_agree_required') : undefined}
        label={
          <>
            {t('notice_agree')}{' '}
            <button type="button" className="link" onClick={() => openDialog('protocol')}>
              {t('notice_protocol')}
            </button>
          </>
        }
      />
    </StepFrame>
  )
}

export function TaxpayerStep({ flow, onDone, onBack }: OpeningStepProps) {
  const t = useTexts(openingTexts)
  const setFlow = useSetOpeningFlow()
  const { run, isRunning, failure } = useSubmit()
  const [again, setAgain] = useState(false)
  const [answer, setAnswer] = useState<boolean | undefined>(flow.isTaxResidentUS ?? undefined)
  const [declared, setDeclared] = useState(false)
  const [pressed, setPressed] = useState(false)
  if (flow.reason === 'us_taxpayer' && !again)
    return (
      <StepFrame title={t('tax_ended')} lead={t('tax_ended_about')}>
        <Button variant="secondary" onClick={() => setAgain(true)}>
          {t('tax_wrong')}
        </Button>
      </StepFrame>
    )
  const next = () => {
    setPressed(true)
    if (answer === undefined || !declared) return
    void run(async () => {
      const now = await flowApi.answerTaxpayer({ isTaxResidentUS: answer, declared: true })
      setAgain(false)
      setFlow(now)
      if (!answer) onDone()
    })
  }
  return (
    <StepFrame title={t('tax_title')} lead={t('tax_lead')} next={{ text: t('tax_next'), onPress: next, busy: isRunning }} onBack={onBack} failure={failure}>
      <RadioCards
        name="taxpayer"
        label={t('tax_title')}
        value={answer === undefined ? undefined : answer ? 'yes' : 'no'}
        onChange={(value) => setAnswer(value === 'yes')}
        options={[
          { value: 'no', title: t('tax_no') },
          { value: 'yes', title: t('tax_yes') },
        ]}
        error={pressed && answer === undefined ? t('tax_required') : undefined}
      />
      <CheckboxField
        className="mt-5"
        checked={declared}
        onChange={(event) => setDeclared(event.target.checked)}
        label={t('tax_declare')}
        error={pressed && !declared ? t('tax_declare_required') : undefined}
      />
    </StepFrame>
  )
}

export function OpeningMethodStep({ flow, onDone, onBack }: OpeningStepProps) {
  const t = useTexts(openingTexts)
  const amount = useCardAmount().data
  const setFlow = useSetOpeningFlow()
  const { run, isRunning, failure } = useSubmit()
  const [method, setMethod] = useState<IdentityMethod>(flow.method ?? flow.methods[0] ?? 'deposit')
  const about = {
    face: t('method_face_about', { limit: amount?.monthlyLimitIdentified ?? '3000' }),
    deposit: t('method_deposit_about', { deposit: amount?.deposit ?? '3', limit: amount?.monthlyLimit ?? '100' }),
  }
  const next = () =>
    void run(async () => {
      setFlow(await flowApi.chooseMethod({ method }))
      onDone()
    })
  return (
    <StepFrame
      title={t('method_title')}
      lead={t('method_lead')}
      next={{ text: t('method_next'), onPress: next, busy: isRunning }}
      onBack={onBack}
      failure={failure}
    >
      <RadioCards
        name="method"
        label={t('method_title')}
        value={method}
        onChange={(value) => setMethod(value as IdentityMethod)}
        options={flow.methods.map((one) => ({
          value: one,
          title: t(CARDS_METHOD_TEXT[one]),
          about: about[one],
          ...(one === 'face' && flow.methods.length > 1 ? { tag: t('method_best') } : {}),
        }))}
      />
      {flow.status === 'review' ? <AlertBox kind="info" className="mt-5" title={t('review_title')} /> : null}
    </StepFrame>
  )
}

interface Option {
  readonly value: string
  readonly title: string
  readonly about?: string
  readonly tag?: string
}

/** Radio cards, one below another. */
export function RadioCards({
  name,
  label,
  value,
  onChange,
  options,
  error,
}: {
  readonly name: string
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (value: string) => void
  readonly options: readonly Option[]
  readonly error?: string | undefined
}) {
  return (
    <fieldset>
      <legend className="sr-only">{label}</legend>
      <div className="grid max-w-[600px] gap-3">
        {options.map((option) => (
          <label
            key={option.value}
            className={`flex cursor-pointer items-start gap-3 rounded-card border px-4 py-3.5 has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-brand ${value === option.value ? 'border-brand bg-brand-soft' : 'border-control bg-surface hover:border-fg-3'}`}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={value === option.value}
              onChange={() => onChange(option.value)}
              className="mt-1 size-4 shrink-0 accent-brand"
            />
            <span className="min-w-0">
              <span className="flex flex-wrap items-center gap-2 text-16 font-semibold">
                {option.title}
                {option.tag ? <Badge tone="brand">{option.tag}</Badge> : null}
              </span>
              {option.about ? <span className="mt-0.5 block text-14 text-fg-2">{option.about}</span> : null}
            </span>
          </label>
        ))}
      </div>
      <p aria-live="polite" className="mt-1.5 text-13 text-danger">
        {error}
      </p>
    </fieldset>
  )
}
