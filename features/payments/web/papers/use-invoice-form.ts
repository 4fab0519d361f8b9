import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { getCurrentLang, useTexts } from '#platform/web/i18n.ts'
import { useFirstWrong } from '#platform/web/use-first-wrong.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { paymentTexts } from '../../texts.ts'
import { EMPTY_INVOICE_DETAILS, INVOICE_FIELDS, invoiceDetailsSchema } from './invoice-fields.ts'
import type { Details } from './invoice-fields.ts'
import { paperApi } from '../pages-api.ts'
import { useDownload } from '../save-file.ts'
import { PAYMENT_PAPERS } from './use-papers.ts'

/** The month, the language and whom an invoice is made out to; its preview, and its sending. */
export function useInvoiceForm(initial: Details | undefined) {
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
