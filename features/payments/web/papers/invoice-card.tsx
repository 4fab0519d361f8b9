import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { z } from 'zod'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { currentLang, useTexts } from '#platform/web/i18n.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { Button } from '#ui/button.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { FIELD_MAX } from '#features/account/contract-fields.ts'
import { invoiceForm } from '../../contract-paper.ts'
import { paymentTexts } from '../../texts.ts'
import { pageTexts } from '../../texts-pages.ts'
import { FIRST_INVOICE_YEAR, INVOICE_NAME } from '../../words-out.ts'
import { InvoicePreview } from './invoice-preview.tsx'
import { paperApi } from '../pages-api.ts'
import { useDownload } from '../save-file.ts'
import { PAPERS, useInvoiceDetails } from './use-papers.ts'

type Field = keyof typeof invoiceForm
type Details = Record<Field, string>
const FIELDS: readonly { readonly name: Field; readonly autoComplete: string; readonly wide?: true }[] = [
  { name: 'userName', autoComplete: 'name' },
  { name: 'email', autoComplete: 'email' },
  { name: 'country', autoComplete: 'country-name' },
  { name: 'state', autoComplete: 'address-level1' },
  { name: 'city', autoComplete: 'address-level2' },
  { name: 'postalCode', autoComplete: 'postal-code' },
  { name: 'addressLine', autoComplete: 'street-address', wide: true },
]
const EMPTY: Details = { userName: '', email: '', country: '', state: '', city: '', addressLine: '', postalCode: '' }
const whole = z.object(invoiceForm)

function problemOf(name: Field, text: string) {
  const clean = text.trim()
  if (clean === '') return 'inv_required'
  if ([...clean].length > FIELD_MAX) return 'inv_max'
  if (name === 'userName' && !INVOICE_NAME.test(clean)) return 'inv_letters'
  return invoiceForm[name].safeParse(clean).success ? undefined : name === 'email' ? 'inv_email_bad' : 'inv_line'
}

/** A month and whom it is made out to; the details of the account are filled in and can be changed for this one. */
export function InvoiceCard() {
  const t = useTexts(pageTexts)
  const kept = useInvoiceDetails()
  return (
    <section aria-labelledby="invoice-title" className="card p-5 mobile:p-4">
      <h2 id="invoice-title" className="text-16 font-semibold">
        {t('invoice_title')}
      </h2>
      <p className="mt-1 mb-5 text-14 text-fg-2">{t('invoice_about')}</p>
      {kept.isPending ? <Skeleton className="h-64" /> : <InvoiceForm initial={kept.data?.invoice ?? undefined} />}
    </section>
  )
}

function InvoiceForm({ initial }: { readonly initial: Details | undefined }) {
  const t = useTexts(pageTexts)
  const p = useTexts(paymentTexts)
  const cache = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const [today] = useState(() => shanghaiDay(Date.now()))
  const [year, setYear] = useState(today.slice(0, 4))
  const [month, setMonth] = useState(String(Number(today.slice(5, 7))))
  const [lang, setLang] = useState<Lang>(currentLang)
  const [values, setValues] = useState<Details>(initial ?? EMPTY)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const [previewing, setPreviewing] = useState(false)
  const [failure, setFailure] = useState<string>()
  const { download } = useDownload()
  const months = year === today.slice(0, 4) ? Number(today.slice(5, 7)) : 12
  const chosen = Number(month) > months ? String(months) : month
  const name = `${year}-${chosen.padStart(2, '0')}`

  const look = () => {
    setLeft(new Set(FIELDS.map((field) => field.name)))
    setFailure(undefined)
    if (whole.safeParse(values).success) return setPreviewing(true)
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  const send = async (agreedFee: string) => {
    const details = whole.safeParse(values)
    if (busy || !details.success) return
    setBusy(true)
    setFailure(undefined)
    try {
      const paper = await paperApi.applyInvoice({ month: name, lang, agreedFee, ...details.data })
      await download(() => paperApi.invoice({ month: paper.month, receiptType: 'API', lang }))
      setPreviewing(false)
    } catch (error) {
      setFailure(isApiError(error) ? error.message : p('openFailed'))
    } finally {
      setBusy(false)
      void cache.invalidateQueries({ queryKey: [...PAPERS] })
    }
  }
  return (
    <form
      ref={form}
      noValidate
      className="grid gap-4 desktop:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault()
        look()
      }}
    >
      <div className="grid gap-3 desktop:col-span-2 desktop:grid-cols-3 mobile:grid-cols-2">
        <PickField label={t('invoice_year')} value={year} onChange={setYear} options={yearsTo(today).map((value) => ({ value, label: value }))} />
        <PickField
          label={t('invoice_month')}
          value={chosen}
          onChange={setMonth}
          options={Array.from({ length: months }, (_, index) => ({ value: String(index + 1), label: t(`month_${index + 1}` as 'month_1') }))}
        />
        <PickField
          label={t('inv_lang')}
          className="mobile:col-span-2"
          value={lang}
          onChange={setLang}
          options={[
            { value: 'zh', label: t('lang_zh') },
            { value: 'en', label: t('lang_en') },
          ]}
        />
      </div>
      {initial ? (
        <p className="text-13 text-fg-3 desktop:col-span-2">
          {t('inv_saved_hint')}{' '}
          <Link to="/account" search={{ section: 'invoice' }} className="link">
            {t('inv_edit')}
          </Link>
        </p>
      ) : null}
      {FIELDS.map((field) => {
        const problem = left.has(field.name) ? problemOf(field.name, values[field.name]) : undefined
        return (
          <TextField
            key={field.name}
            fieldClassName={field.wide ? 'desktop:col-span-2' : ''}
            label={t(`inv_${field.name}`)}
            hint={field.name === 'userName' ? t('inv_userName_hint') : undefined}
            error={problem ? t(problem) : undefined}
            autoComplete={field.autoComplete}
            inputMode={field.name === 'email' ? 'email' : undefined}
            value={values[field.name]}
            disabled={busy}
            onChange={(event) => setValues({ ...values, [field.name]: event.target.value })}
            onBlur={() => {
              if (values[field.name]) setLeft((old) => new Set([...old, field.name]))
            }}
          />
        )
      })}
      {previewing ? (
        <InvoicePreview
          month={name}
          to={printed(values)}
          busy={busy}
          failure={failure}
          onClose={() => setPreviewing(false)}
          onIssue={(agreedFee) => void send(agreedFee)}
        />
      ) : null}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 desktop:col-span-2">
        <Button type="submit" className="mobile:w-full">
          {t('inv_apply')}
        </Button>
        {name === today.slice(0, 7) ? <p className="text-13 text-fg-3">{t('inv_current')}</p> : null}
      </div>
    </form>
  )
}

/** As on the paper: who, where, and where to write. */
function printed({ userName, email, addressLine, city, state, postalCode, country }: Details): string[] {
  return [userName, email, addressLine, [city, state, postalCode].join(', '), country].map((line) => line.trim()).filter(Boolean)
}

/** This year first, back to the first with invoices. */
function yearsTo(today: string): string[] {
  const last = Number(today.slice(0, 4))
  return Array.from({ length: last - FIRST_INVOICE_YEAR + 1 }, (_, index) => String(last - index))
}
