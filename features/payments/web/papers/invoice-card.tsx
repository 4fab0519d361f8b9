import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState, useRef } from 'react'
import { useTexts, getCurrentLang } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { paperTexts } from '../../texts-papers.ts'
import { INVOICE_FIELDS, toPrintedLines, findInvoiceProblem, listInvoiceYears, EMPTY_INVOICE_DETAILS, invoiceDetailsSchema } from './invoice-fields.ts'
import type { Details } from './invoice-fields.ts'
import { InvoicePreview } from './invoice-preview.tsx'
import { useInvoiceDetails, PAYMENT_PAPERS } from './use-papers.ts'
import { PAYMENTS_INV_TEXT } from '../../labels/state-texts-papers.ts'
import { resolveTextKey } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useFirstWrong } from '#platform/web/use-fields.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { paymentTexts } from '../../texts.ts'
import { paperApi } from '../pages-api.ts'
import { useDownload } from '../save-file.ts'
import { LANGS, LANGUAGES } from '#platform/shared/languages.ts'

/** The month, the language and the recipient of an invoice; its preview, and its submission. */
function useInvoiceForm(initial: Details | undefined) {
  const p = useTexts(paymentTexts)
  const cache = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const pointOut = useFirstWrong(form)
  const [today] = useState(() => toShanghaiDay(Date.now()))
  const [year, setYear] = useState(today.slice(0, 4))
  const [month, setMonth] = useState(String(Number(today.slice(5, 7))))
  const [lang, setLang] = useState<Lang>(getCurrentLang)
  const [values, setValues] = useState<Details>(initial ?? EMPTY_INVOICE_DETAILS)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const [previewing, setPreviewing] = useState(false)
  const [failure, setFailure] = useState<string>()
  const { download } = useDownload()
  const months = year === today.slice(0, 4) ? Number(today.slice(5, 7)) : 12
  const chosen = Number(month) > months ? String(months) : month
  const name = `${year}-${chosen.padStart(2, '0')}`

  const look = () => {
    setLeft(new Set(INVOICE_FIELDS.map((field) => field.name)))
    setFailure(undefined)
    if (invoiceDetailsSchema.safeParse(values).success) return setPreviewing(true)
    pointOut()
  }
  const send = async (agreedFee: string) => {
    const details = invoiceDetailsSchema.safeParse(values)
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
      void cache.invalidateQueries({ queryKey: [...PAYMENT_PAPERS] })
    }
  }
  const touch = (field: string) => setLeft((old) => new Set([...old, field]))
  return {
    form,
    today,
    year,
    setYear,
    months,
    month: chosen,
    setMonth,
    name,
    lang,
    setLang,
    values,
    setValues,
    left,
    touch,
    busy,
    previewing,
    closePreview: () => setPreviewing(false),
    failure,
    look,
    send,
  }
}

const MONTH_TEXT = {
  1: 'month_1',
  2: 'month_2',
  3: 'month_3',
  4: 'month_4',
  5: 'month_5',
  6: 'month_6',
  7: 'month_7',
  8: 'month_8',
  9: 'month_9',
  10: 'month_10',
  11: 'month_11',
  12: 'month_12',
} as const

const LazyRequestDialog = lazy(() => import('./invoice-request-dialog.tsx').then((module) => ({ default: module.InvoiceRequestDialog })))

/** Invoice form: a month and a recipient, prefilled from the account and editable for this invoice. */
export function InvoiceCard() {
  const t = useTexts(paperTexts)
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
  const t = useTexts(paperTexts)
  const invoice = useInvoiceForm(initial)
  return (
    <form
      ref={invoice.form}
      noValidate
      className="grid gap-4 desktop:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault()
        invoice.look()
      }}
    >
      <Period invoice={invoice} />
      {initial ? (
        <p className="text-13 text-fg-3 desktop:col-span-2">
          {t('inv_saved_hint')}{' '}
          <Link to="/account" search={{ section: 'invoice' }} className="link">
            {t('inv_edit')}
          </Link>
        </p>
      ) : null}
      <Fields invoice={invoice} />
      {invoice.previewing ? (
        <InvoicePreview
          month={invoice.name}
          to={toPrintedLines(invoice.values)}
          busy={invoice.busy}
          failure={invoice.failure}
          onClose={invoice.closePreview}
          onIssue={(agreedFee) => void invoice.send(agreedFee)}
        />
      ) : null}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 desktop:col-span-2">
        <Button type="submit" className="mobile:w-full">
          {t('inv_apply')}
        </Button>
        {invoice.name === invoice.today.slice(0, 7) ? <p className="text-13 text-fg-3">{t('inv_current')}</p> : null}
      </div>
      <RequestLink invoice={invoice} />
    </form>
  )
}

interface PartProps {
  readonly invoice: ReturnType<typeof useInvoiceForm>
}

/** Opens the request for an invoice that the form does not accept. */
function RequestLink({ invoice }: PartProps) {
  const t = useTexts(paperTexts)
  const [isOpen, setOpen] = useState(false)
  return (
    <p className="text-13 text-fg-2 desktop:col-span-2">
      {t('ask_hint')}{' '}
      <button type="button" className="link mobile:min-h-11" onClick={() => setOpen(true)}>
        {t('ask_open')}
      </button>
      <Suspense>
        {isOpen ? <LazyRequestDialog month={invoice.name} lang={invoice.lang} initial={invoice.values} onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </p>
  )
}

/** The month, and the language of the paper. */
function Period({ invoice }: PartProps) {
  const t = useTexts(paperTexts)
  return (
    <div className="grid gap-3 desktop:col-span-2 desktop:grid-cols-3 mobile:grid-cols-2">
      <PickField
        label={t('invoice_year')}
        value={invoice.year}
        onChange={invoice.setYear}
        options={listInvoiceYears(invoice.today).map((value) => ({ value, label: value }))}
      />
      <PickField
        label={t('invoice_month')}
        value={invoice.month}
        onChange={invoice.setMonth}
        options={Array.from({ length: invoice.months }, (_, index) => ({ value: String(index + 1), label: t(resolveTextKey(MONTH_TEXT, String(index + 1))) }))}
      />
      <PickField
        label={t('inv_lang')}
        className="mobile:col-span-2"
        value={invoice.lang}
        onChange={invoice.setLang}
        options={LANGS.map((value) => ({ value, label: LANGUAGES[value].name }))}
      />
    </div>
  )
}

/** Recipient fields. A field shows its error once the user leaves it or continues. */
function Fields({ invoice }: PartProps) {
  const t = useTexts(paperTexts)
  const { values, left, busy, setValues, touch } = invoice
  return INVOICE_FIELDS.map((field) => {
    const problem = left.has(field.name) ? findInvoiceProblem(field.name, values[field.name]) : undefined
    return (
      <TextField
        key={field.name}
        fieldClassName={field.wide ? 'desktop:col-span-2' : ''}
        label={t(PAYMENTS_INV_TEXT[field.name])}
        hint={field.name === 'userName' ? t('inv_userName_hint') : undefined}
        error={problem ? t(problem) : undefined}
        autoComplete={field.autoComplete}
        inputMode={field.name === 'email' ? 'email' : undefined}
        value={values[field.name]}
        disabled={busy}
        onChange={(event) => setValues({ ...values, [field.name]: event.target.value })}
        onBlur={() => {
          if (values[field.name]) touch(field.name)
        }}
      />
    )
  })
}
