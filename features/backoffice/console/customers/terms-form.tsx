import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { CheckboxField } from '#ui/fields/checkbox-field.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { parseBeijingField } from '../kit/beijing.ts'
import { openCommand } from '../kit/command/command-store.ts'
import { modelsApi, nextMondayField } from '../prices/use-draft.ts'
import { customerTexts } from './texts.ts'

interface FormProps {
  readonly user: string
  readonly about: string
  readonly noticeDays: number
  readonly onClose: () => void
  readonly onDone: () => void
}
const ALL = '*'
const PERCENT = /^(?:100|[1-9]\d?(?:\.\d{1,2})?)$/

/**
 * Form of negotiated prices: one model or all, the share of the list price, the start, and a name. The command's preview shows the effect.
 */
export function TermsForm({ user, about, noticeDays, onClose, onDone }: FormProps) {
  const t = useTexts(customerTexts)
  const book = useQuery({ queryKey: ['prices'], queryFn: ({ signal }) => modelsApi.prices({}, { signal }) })
  const [model, setModel] = useState(ALL)
  const [percent, setPercent] = useState('')
  const [at, setAt] = useState(nextMondayField)
  const [title, setTitle] = useState('')
  const [knows, setKnows] = useState(false)
  const from = parseBeijingField(at)
  const isWhole = PERCENT.test(percent.trim()) && from !== undefined && title.trim() !== ''
  const models = (book.data?.rows ?? []).map((row) => ({ value: row.model, label: row.model }))
  const ask = () => {
    const input = { user, title: title.trim(), from, changes: [{ model, percent: percent.trim() }], acceptLoss: knows }
    openCommand({ name: 'price.terms', input, about, onDone })
    onClose()
  }
  return (
    <Dialog
      open
      size="sm"
      title={t('formTitle')}
      description={about}
      onClose={onClose}
      footer={
        <Button size="lg" disabled={!isWhole} onClick={ask}>
          {t('next')}
        </Button>
      }
    >
      <div className="grid grid-cols-1 gap-3">
        <PickField label={t('model')} options={[{ value: ALL, label: t('allModels') }, ...models]} value={model} onChange={setModel} />
        <TextField
          label={t('percent')}
          hint={t('percentHint')}
          value={percent}
          maxLength={6}
          inputMode="decimal"
          className="num"
          autoComplete="off"
          onChange={(event) => setPercent(event.target.value)}
        />
        <TextField label={t('from')} hint={t('fromHint', { n: noticeDays })} type="datetime-local" value={at} onChange={(event) => setAt(event.target.value)} />
        <TextField
          label={t('name')}
          value={title}
          maxLength={80}
          placeholder={t('nameExample')}
          autoComplete="off"
          onChange={(event) => setTitle(event.target.value)}
        />
        <CheckboxField label={t('knows')} checked={knows} onChange={(event) => setKnows(event.target.checked)} />
      </div>
    </Dialog>
  )
}
