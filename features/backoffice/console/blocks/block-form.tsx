import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { BLOCK_KINDS } from '#features/risk/contract-blocks.console.ts'
import type { BlockKind } from '#features/risk/contract-blocks.console.ts'
import { openCommand } from '../kit/command/command-store.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { SideSheet } from '../kit/sheet.tsx'
import { blockTexts } from './texts.ts'

const VALUE_TEXT = { network: 'value_network', mailDomain: 'value_mailDomain', device: 'value_device', payer: 'value_payer' } as const
const HINT_TEXT = { network: 'hint_network', mailDomain: 'hint_mailDomain', device: 'hint_device', payer: 'hint_payer' } as const

export function BlockForm({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(blockTexts)
  const say = useConsoleFormatter()
  const [kind, setKind] = useState<BlockKind>('network')
  const [value, setValue] = useState('')
  const [days, setDays] = useState('7')
  const [note, setNote] = useState('')
  const isWhole = value.trim() !== '' && /^\d{1,3}$/.test(days) && Number(days) >= 1 && Number(days) <= 366
  const ask = () => {
    const input = { kind, value: value.trim(), days: Number(days), note: note.trim() }
    openCommand({ name: 'risk.block', input, about: value.trim(), reasonCode: 'abuse', danger: true, onDone: onClose })
  }
  return (
    <SideSheet
      title={t('newTitle')}
      onClose={onClose}
      foot={
        <Button disabled={!isWhole} onClick={ask}>
          {t('next')}
        </Button>
      }
    >
      <div className="grid grid-cols-1 gap-3">
        <Segmented<BlockKind> label={t('kind')} value={kind} onChange={setKind} items={BLOCK_KINDS.map((one) => ({ value: one, label: say.value(one) }))} />
        <TextField
          label={t(VALUE_TEXT[kind])}
          hint={t(HINT_TEXT[kind])}
          value={value}
          maxLength={253}
          className="num"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setValue(event.target.value)}
        />
        <TextField
          label={t('days')}
          hint={t('daysHint')}
          value={days}
          maxLength={3}
          inputMode="numeric"
          className="num"
          onChange={(event) => setDays(event.target.value)}
        />
        <TextField label={t('note')} value={note} maxLength={200} onChange={(event) => setNote(event.target.value)} />
      </div>
    </SideSheet>
  )
}
