import { useState } from 'react'
import { VOID_CAUSES } from '#features/payments/contract-invoices.console.ts'
import type { VoidCause } from '#features/payments/contract-invoices.console.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { openCommand } from '../kit/command/command-store.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { SideSheet } from '../kit/sheet.tsx'
import type { InvoiceDetail } from './api.ts'
import { invoiceTexts } from './texts.ts'

/** Each with what it takes at most: more than the customers' own form. */
const FIELDS = { userName: 120, email: 120, addressLine: 160, city: 60, state: 60, postalCode: 20, country: 60 } as const
type Name = keyof typeof FIELDS
const NAMES = Object.keys(FIELDS) as Name[]
const isWide = (name: Name) => name === 'userName' || name === 'email' || name === 'addressLine'

export function ReissueForm({ paper, onClose }: { readonly paper: InvoiceDetail; readonly onClose: () => void }) {
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
