import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { formatMinor, parseUsd, toMinorUnits } from '#platform/shared/money.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { toast } from '#ui/layers/toast.ts'
import { deskInvoiceRecipient, deskNote } from '../../contract-invoice-requests.ts'
import { paperTexts } from '../../texts-papers.ts'
import { PaymentsNotice } from '../notice.tsx'
import { paperApi } from '../pages-api.ts'
import { INVOICE_FIELDS } from './invoice-fields.ts'
import type { Details } from './invoice-fields.ts'
import { INVOICE_REQUESTS, invoiceRequestApi } from './invoice-request-api.ts'
import { PAYMENTS_INV_TEXT } from '../../labels/state-texts-papers.ts'

interface InvoiceRequestProps {
  readonly month: string
  readonly lang: Lang
  readonly initial: Details
  readonly onClose: () => void
}

const formatFee = (fee: string): string => formatMinor(toMinorUnits(parseUsd(fee), '1.0'))

/** Message of an invalid field; empty fields get one only after the first submit. */
function chooseFieldMessage(name: keyof Details, isEmpty: boolean, isTried: boolean) {
  if (isEmpty) return isTried ? 'inv_required' : undefined
  return name === 'email' ? 'inv_email_bad' : 'ask_line'
}

function Problem({ message }: { readonly message: string | undefined }) {
  return (
    <div role="alert" className="empty:hidden desktop:col-span-2">
      {message ? <PaymentsNotice tone="danger">{message}</PaymentsNotice> : null}
    </div>
  )
}

/** Dialog to request an invoice that the form refuses: a name with digits or signs, no address, a note. No charge yet. */
export function InvoiceRequestDialog({ month, lang, initial, onClose }: InvoiceRequestProps) {
  const t = useTexts(paperTexts)
  const cache = useQueryClient()
  const [to, setTo] = useState(initial)
  const [note, setNote] = useState('')
  const [isTried, setTried] = useState(false)
  const { run, isRunning, failure } = useSubmit()
  const preview = useQuery({
    queryKey: ['payments', 'papers', 'preview', month],
    queryFn: ({ signal }) => paperApi.invoicePreview({ month }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
  const details = deskInvoiceRecipient.safeParse(to)
  const wrong = new Set(details.success ? [] : details.error.issues.map(({ path }) => path[0]))
  const said = (name: keyof Details) => {
    const word = wrong.has(name) ? chooseFieldMessage(name, to[name].trim() === '', isTried) : undefined
    return word && t(word)
  }
  const send = async () => {
    setTried(true)
    if (!details.success || !deskNote.safeParse(note).success || !preview.data) return
    await run(async () => {
      await invoiceRequestApi.askInvoice({ month, lang, agreedFee: formatFee(preview.data!.fee), ...details.data, note: note.trim() })
      void cache.invalidateQueries({ queryKey: [...INVOICE_REQUESTS] })
      toast.success(t('ask_done'))
      onClose()
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('ask_title', { month })}
      size="md"
      footer={
        <>
          <Button variant="secondary" disabled={isRunning} onClick={onClose}>
            {t('cost_back')}
          </Button>
          <Button loading={isRunning} disabled={!preview.data} onClick={() => void send().catch(() => undefined)}>
            {t('ask_send')}
          </Button>
        </>
      }
    >
      <p className="mb-4 text-14 text-fg-2">{t('ask_about')}</p>
      <div className="grid gap-4 pb-4 desktop:grid-cols-2">
        {INVOICE_FIELDS.map(({ name, autoComplete, wide }) => (
          <TextField
            key={name}
            fieldClassName={wide || name === 'userName' ? 'desktop:col-span-2' : ''}
            label={name === 'userName' || name === 'email' ? t(PAYMENTS_INV_TEXT[name]) : t('ask_optional', { field: t(PAYMENTS_INV_TEXT[name]) })}
            error={said(name)}
            autoComplete={autoComplete}
            inputMode={name === 'email' ? 'email' : undefined}
            maxLength={160}
            value={to[name]}
            disabled={isRunning}
            onChange={(event) => setTo({ ...to, [name]: event.target.value })}
          />
        ))}
        <TextField
          fieldClassName="desktop:col-span-2"
          label={t('ask_optional', { field: t('ask_note') })}
          hint={t('ask_note_hint')}
          error={deskNote.safeParse(note).success ? undefined : t('ask_line')}
          maxLength={300}
          value={note}
          disabled={isRunning}
          onChange={(event) => setNote(event.target.value)}
        />
        {preview.data && preview.data.fee !== '0' ? (
          <p className="text-13 text-fg-2 desktop:col-span-2">{t('ask_fee', { fee: displayUsd(preview.data.fee) })}</p>
        ) : null}
        <Problem message={(failure ?? preview.error)?.message} />
      </div>
    </Dialog>
  )
}
