import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { saveBlob } from '#platform/web/save-blob.ts'
import { Time } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { toast } from '#ui/layers/toast.ts'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { CustomerLink } from '../kit/customer-link.tsx'
import { FactRows } from '../kit/marks.tsx'
import { useConsoleFormatter } from '../kit/format.ts'
import { SideSheet } from '../kit/sheet.tsx'
import { useHasPermission } from '../kit/use-me.ts'
import { invoicesApi } from './api.ts'
import type { InvoiceDetail } from './api.ts'
import { formatRecipientLines } from './recipient-lines.ts'
import { invoiceTexts } from './texts.ts'
import { VOID_CAUSES } from '#features/payments/contract-invoices.console.ts'
import type { VoidCause } from '#features/payments/contract-invoices.console.ts'
import { PickField } from '#ui/fields/pick-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { openCommand } from '../kit/command/command-store.ts'

/** Maximum length of each field; longer than in the customers' form. */
const FIELDS = { userName: 120, email: 120, addressLine: 160, city: 60, state: 60, postalCode: 20, country: 60 } as const
type Name = keyof typeof FIELDS
const NAMES = Object.keys(FIELDS) as Name[]
const isWide = (name: Name) => name === 'userName' || name === 'email' || name === 'addressLine'

function ReissueForm({ paper, onClose }: { readonly paper: InvoiceDetail; readonly onClose: () => void }) {
  const t = useTexts(invoiceTexts)
  const say = useConsoleFormatter()
  const [to, setTo] = useState(() => Object.fromEntries(NAMES.map((name) => [name, paper.to[name] ?? ''])) as Record<Name, string>)
  const [cause, setCause] = useState<VoidCause>('wrongDetails')
  const clean = Object.fromEntries(NAMES.map((name) => [name, to[name].trim()])) as Record<Name, string>
  const isChanged = NAMES.some((name) => clean[name] !== (paper.to[name] ?? ''))
  const isWhole = isChanged && clean.userName !== '' && /^[^\s@]+@[^\s@]+$/.test(clean.email)
  return (
    <SideSheet
      title={t('formTitle', { no: paper.paperNo })}
      about={t('formAbout')}
      onClose={onClose}
      foot={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            disabled={!isWhole}
            onClick={() => openCommand({ name: 'invoice.reissue', input: { paperNo: paper.paperNo, cause, ...clean }, about: paper.paperNo, onDone: onClose })}
          >
            {t('next')}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-2 gap-3 mobile:grid-cols-1">
        {NAMES.map((name) => (
          <TextField
            key={name}
            fieldClassName={isWide(name) ? 'col-span-2 mobile:col-span-1' : ''}
            label={name === 'state' ? t('state') : say.field(name)}
            maxLength={FIELDS[name]}
            value={to[name]}
            autoComplete="off"
            onChange={(event) => setTo((old) => ({ ...old, [name]: event.target.value }))}
          />
        ))}
        <PickField label={say.field('cause')} value={cause} onChange={setCause} options={VOID_CAUSES.map((value) => ({ value, label: say.value(value) }))} />
      </div>
    </SideSheet>
  )
}

/** One invoice or receipt: its recipient, payments and commands. */
export function InvoiceSheet({ paperNo, onClose }: { readonly paperNo: string; readonly onClose: () => void }) {
  const t = useTexts(invoiceTexts)
  const may = useHasPermission()('invoices.decide')
  const [isReissuing, setReissuing] = useState(false)
  const { run, isRunning } = useSubmit()
  const read = useQuery({ queryKey: ['invoices', paperNo], queryFn: ({ signal }) => invoicesApi.invoice({ paperNo }, { signal }), enabled: may })
  const paper = read.data
  if (!paper)
    return (
      <SideSheet title={<span className="num">{paperNo}</span>} onClose={onClose}>
        {may ? (
          read.isError ? (
            <ErrorState error={read.error} onRetry={() => void read.refetch()} />
          ) : (
            <SkeletonRows rows={6} />
          )
        ) : (
          <p className="text-13 text-fg-2">{t('mayNot')}</p>
        )}
      </SideSheet>
    )
  if (isReissuing) return <ReissueForm paper={paper} onClose={() => setReissuing(false)} />
  const save = () =>
    void run(async () => {
      const file = await invoicesApi.invoiceFile({ paperNo })
      saveBlob(new Blob([file.body as Uint8Array<ArrayBuffer>], { type: file.type }), file.filename)
    }).then((error) => {
      if (error) toast.error(error.message)
    })
  const isOpen = paper.kind === 'invoice' && !paper.voidAt
  return (
    <SideSheet
      title={<span className="num">{paperNo}</span>}
      tags={<Badge tone={paper.voidAt ? 'neutral' : 'success'}>{t(paper.voidAt ? 'void' : 'holds')}</Badge>}
      about={
        <>
          <CustomerLink userId={paper.userId} />
          <span className="num">{paper.month || paper.orderNo}</span>
          <span className="num">{displayUsd(paper.amount)}</span>
        </>
      }
      onClose={onClose}
      foot={
        <>
          <Button variant="ghost" loading={isRunning} onClick={save}>
            <Download size={14} strokeWidth={1.75} aria-hidden="true" />
            {t('file')}
          </Button>
          {isOpen ? (
            <span className="flex gap-2">
              <CommandButton name="invoice.void" input={{ paperNo }} about={paperNo} danger />
              <Button onClick={() => setReissuing(true)}>{t('reissue')}</Button>
            </span>
          ) : null}
        </>
      }
    >
      <InvoiceDetailFacts paper={paper} />
    </SideSheet>
  )
}

function InvoiceDetailFacts({ paper }: { readonly paper: InvoiceDetail }) {
  const t = useTexts(invoiceTexts)
  const say = useConsoleFormatter()
  return (
    <>
      <FactRows
        rows={[
          ...(paper.cause ? [[t('cause'), say.value(paper.cause)] as const] : []),
          ...(paper.replacedBy
            ? [
                [
                  t('replacedBy'),
                  <span key="by" className="num">
                    {paper.replacedBy}
                  </span>,
                ] as const,
              ]
            : []),
          ...(paper.month
            ? ([
                [t('paid'), displayUsd(paper.paid)],
                [t('invoiceable'), displayUsd(paper.invoiceable)],
                [t('redone'), String(paper.redone)],
              ] as const)
            : []),
        ]}
      />
      <h3 className="mt-4 mb-1 text-13 font-semibold">{t('to')}</h3>
      <p dir="auto" className="text-13 whitespace-pre-line [overflow-wrap:anywhere]">
        {formatRecipientLines(paper.to).join('\n')}
      </p>
      <h3 className="mt-4 mb-1 text-13 font-semibold">{t('lines')}</h3>
      <ul className="divide-y divide-line">
        {paper.lines.map(({ orderNo, paidAt, back, net }) => (
          <li key={orderNo} className="flex flex-wrap items-baseline gap-x-3 py-1.5 text-13">
            <span className="num">{orderNo}</span>
            <Time at={paidAt} show="day" className="text-fg-3" />
            {back === '0' ? null : <span className="text-fg-3">{t('back', { amount: displayUsd(back) })}</span>}
            <span className="num ml-auto font-semibold">{displayUsd(net)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
