import { useId, useRef, useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useFirstWrong } from '#platform/web/use-fields.ts'
import { Button } from '#ui/button.tsx'
import { CheckboxField } from '#ui/fields/checkbox-field.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { toast } from '#ui/layers/toast.ts'
import type { AutoMethod, AutoView } from '../../contract-auto.ts'
import { isConvertedCurrency } from '../../contract-currencies.ts'
import { autoTexts } from '../../texts-auto.ts'
import { paymentTexts } from '../../texts.ts'
import { isTypable, normalizeAmount, cleanAmount } from '../pay/amount.ts'
import { PaymentsNotice } from '../notice.tsx'
import { computeAutoBounds, AUTO_FORM_FIELDS, toAutoMethodKey, findInvalidFields, parseAutoForm, computeAutoPrice } from './auto-form.ts'
import type { AutoForm, FieldName } from './auto-form.ts'
import { AutoMethods } from './auto-methods.tsx'
import { autoApi, useSetAuto } from './use-auto.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { formatFeeTerms } from '../fee-words.ts'
import { payDisplay } from '../pay/pay-money.tsx'

const NONE = '—'
const LINES = ['auto_consent_1', 'auto_consent_2', 'auto_consent_3', 'auto_consent_4'] as const

/** Today's price of a charge, and the full consent text with the figures of the form. */
function AutoConsent({ form, method }: { readonly form: AutoForm; readonly method: AutoMethod }) {
  const t = useTexts(autoTexts)
  const price = computeAutoPrice(form.amount, method)
  const dollars = (text: string) => {
    const clean = cleanAmount(text)
    return clean === undefined ? NONE : displayUsd(clean)
  }
  const pay = price ? payDisplay(price.payAmount, method.payCurrency) : NONE
  const values = {
    threshold: dollars(form.threshold),
    amount: dollars(form.amount),
    day: dollars(form.dayMost),
    month: dollars(form.monthMost),
    method: method.name,
    pay,
  }
  return (
    <>
      <Receipt look="flat" label={t('auto_price')}>
        <ReceiptRow label={t('auto_line_amount')} value={values.amount} />
        <ReceiptRow label={t('auto_line_fee', { fee: formatFeeTerms(method) })} value={price ? displayUsd(price.fee) : NONE} />
        <ReceiptRow label={t('auto_line_total')} value={price ? displayUsd(price.total) : NONE} />
        <ReceiptRule />
        <ReceiptRow
          label={t('auto_line_pay')}
          value={pay}
          strong
          {...(isConvertedCurrency(method.payCurrency) ? { note: t('auto_line_rate', { rate: method.rate }) } : {})}
        />
      </Receipt>
      <section aria-label={t('auto_consent_title')} className="rounded-control border border-line bg-sunken px-4 py-3 text-13 text-fg-2">
        <h3 className="font-medium text-fg">{t('auto_consent_title')}</h3>
        <ol className="mt-1 list-decimal space-y-1 pl-5">
          {LINES.map((line) => (
            <li key={line}>{t(line, values)}</li>
          ))}
        </ol>
      </section>
    </>
  )
}

interface Props {
  readonly open: boolean
  readonly view: AutoView
  readonly onClose: () => void
}

/** Sets up auto recharge, or changes its amounts under the same stored method. Input is discarded on close; no box is ticked in advance. */
export function AutoDialog({ open, view, onClose }: Props) {
  const t = useTexts(autoTexts)
  const form = useId()
  const [busy, setBusy] = useState(false)
  const changes = view.state === 'active'
  const [method, setMethod] = useState<AutoMethod>()
  const chosen = changes
    ? (view.method ?? undefined)
    : (method ?? view.methods.find((each) => view.method && toAutoMethodKey(each) === toAutoMethodKey(view.method)) ?? view.methods[0])
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t(changes ? 'auto_dialog_change' : 'auto_dialog_setup')}
      size="md"
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('auto_cancel')}
          </Button>
          <Button type="submit" form={form} loading={busy} disabled={!chosen}>
            {t(changes ? 'auto_save' : 'auto_go')}
          </Button>
        </>
      }
    >
      {open && chosen ? (
        <Form id={form} view={view} method={chosen} changes={changes} onMethod={setMethod} onBusy={setBusy} busy={busy} onDone={onClose} />
      ) : null}
    </Dialog>
  )
}

interface FormProps {
  readonly id: string
  readonly view: AutoView
  readonly method: AutoMethod
  readonly changes: boolean
  readonly busy: boolean
  readonly onMethod: (method: AutoMethod) => void
  readonly onBusy: (busy: boolean) => void
  readonly onDone: () => void
}

const LABELS = { threshold: 'auto_field_threshold', amount: 'auto_field_amount', dayMost: 'auto_field_day', monthMost: 'auto_field_month' } as const

function Form({ id, view, method, changes, busy, onMethod, onBusy, onDone }: FormProps) {
  const t = useTexts(autoTexts)
  const p = useTexts(paymentTexts)
  const element = useRef<HTMLFormElement>(null)
  const pointOut = useFirstWrong(element)
  const keep = useSetAuto()
  const [form, setForm] = useState<AutoForm>(view.plan)
  const [left, setLeft] = useState<ReadonlySet<FieldName>>(new Set())
  const [agreed, setAgreed] = useState(false)
  const [tried, setTried] = useState(false)
  const [failure, setFailure] = useState<string>()
  const bounds = computeAutoBounds(form, method, view)
  const problems = findInvalidFields(form, bounds)

  const send = async () => {
    setTried(true)
    setLeft(new Set(AUTO_FORM_FIELDS))
    const wish = parseAutoForm(form)
    if (busy) return
    if (!wish || problems.size || !agreed) {
      pointOut()
      return
    }
    setFailure(undefined)
    onBusy(true)
    const consent = { agreed: true, consentVersion: view.consentVersion } as const
    try {
      if (changes) {
        keep(await autoApi.changeAuto({ ...wish, ...consent }))
        toast.success(t('auto_changed_done'))
        onDone()
      } else {
        const { payUrl } = await autoApi.startAuto({ ...wish, ...consent, channelType: method.channelType, transactionType: method.transactionType })
        location.assign(payUrl)
      }
    } catch (error) {
      setFailure(isApiError(error) ? error.message : p('openFailed'))
    } finally {
      onBusy(false)
    }
  }

  return (
    <form
      id={id}
      ref={element}
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {changes ? null : <AutoMethods methods={view.methods} chosen={method} onChoose={onMethod} />}
      <div className="grid grid-cols-2 gap-x-4 gap-y-4">
        {AUTO_FORM_FIELDS.map((name) => (
          <AmountField
            key={name}
            name={name}
            value={form[name]}
            bounds={bounds[name]}
            wrong={left.has(name) && problems.has(name)}
            onChange={(text) => setForm({ ...form, [name]: text })}
            onLeave={() => setLeft(new Set([...left, name]))}
          />
        ))}
      </div>
      <p className="-mt-2 text-13 text-fg-3">{t('auto_ceiling_about', { count: view.bounds.perDay })}</p>
      <AutoConsent form={form} method={method} />
      <Agree agreed={agreed} onAgree={setAgreed} missing={tried && !agreed} failure={failure} />
    </form>
  )
}

interface AmountFieldProps {
  readonly name: FieldName
  readonly value: string
  readonly bounds: ReturnType<typeof computeAutoBounds>[FieldName]
  readonly wrong: boolean
  readonly onChange: (text: string) => void
  readonly onLeave: () => void
}

function AmountField({ name, value, bounds, wrong, onChange, onLeave }: AmountFieldProps) {
  const t = useTexts(autoTexts)
  return (
    <TextField
      label={t(LABELS[name])}
      prefix="USD"
      inputMode="decimal"
      autoComplete="off"
      className="num"
      value={value}
      hint={t('auto_field_range', { ...bounds })}
      error={wrong ? t('auto_field_bad', { ...bounds }) : undefined}
      onChange={(event) => {
        const text = normalizeAmount(event.target.value)
        if (isTypable(text, bounds)) onChange(text)
      }}
      onBlur={onLeave}
    />
  )
}

interface AgreeProps {
  readonly agreed: boolean
  readonly onAgree: (agreed: boolean) => void
  readonly missing: boolean
  readonly failure: string | undefined
}

function Agree({ agreed, onAgree, missing, failure }: AgreeProps) {
  const t = useTexts(autoTexts)
  return (
    <div>
      <CheckboxField
        label={t('auto_agree')}
        checked={agreed}
        onChange={(event) => onAgree(event.target.checked)}
        error={missing ? t('auto_agree_missing') : undefined}
      />
      {failure ? (
        <div role="alert" className="mt-3">
          <PaymentsNotice tone="danger">{failure}</PaymentsNotice>
        </div>
      ) : null}
    </div>
  )
}
