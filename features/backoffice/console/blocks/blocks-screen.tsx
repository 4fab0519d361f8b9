import { Plus } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { Time, displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { BLOCK_KINDS, blocksContract } from '#features/risk/contract-blocks.console.ts'
import type { BlockKind } from '#features/risk/contract-blocks.console.ts'
import type { ReplyOf, SentOf } from '#platform/shared/contract.ts'
import { useAddress } from '../kit/address.ts'
import { createConsoleApi } from '../kit/api.ts'
import { CommandButton } from '../kit/command/command-button.tsx'
import { CustomerLink } from '../kit/customer-link.tsx'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { FactRows } from '../kit/marks.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { SideSheet } from '../kit/sheet.tsx'
import { useHasPermission } from '../kit/use-me.ts'
import { blockTexts } from './texts.ts'
import { useState } from 'react'
import { Segmented } from '#ui/fields/segmented.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { openCommand } from '../kit/command/command-store.ts'

const VALUE_TEXT = { network: 'value_network', mailDomain: 'value_mailDomain', device: 'value_device', payer: 'value_payer' } as const
const HINT_TEXT = { network: 'hint_network', mailDomain: 'hint_mailDomain', device: 'hint_device', payer: 'hint_payer' } as const

function BlockForm({ onClose }: { readonly onClose: () => void }) {
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

const api = createConsoleApi(blocksContract)
type Block = ReplyOf<(typeof blocksContract)['blocks']>['rows'][number]
const NEW = 'new'

/** Sign-up and sign-in blocks; each has an expiry, an owner and a reason. */
export function BlocksScreen() {
  const t = useTexts(blockTexts)
  const say = useConsoleFormatter()
  const nameOf = useOperatorName()
  const may = useHasPermission()
  const [params, go] = useAddress()
  return (
    <ListScreen
      name="blocks"
      title={t('blocksTitle')}
      about={t('blocksAbout')}
      actions={
        may('risk.block') ? (
          <Button onClick={() => go({ open: NEW })}>
            <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
            {t('blocksNew')}
          </Button>
        ) : null
      }
      load={(input: SentOf<typeof blocksContract.blocks>, signal) => api.blocks(input, { signal })}
      file="/operator/blocks"
      rowKey={({ id }) => id}
      views={[
        { id: 'kept', label: t('blocksKept'), set: { view: undefined } },
        { id: 'over', label: t('blocksOver'), set: { view: 'over' } },
      ]}
      chips={BLOCK_KINDS.map((kind) => ({ name: 'kind' as const, value: kind, label: say.value(kind) }))}
      columns={[
        {
          key: 'value',
          header: t('colValue'),
          mobile: 'title',
          cell: (row) => (row.kind === 'device' ? <CustomerLink userId={row.value} /> : <strong className="num font-semibold">{row.value}</strong>),
          csv: (row) => row.value,
        },
        { key: 'kind', header: t('colKind'), cell: (row) => <Badge>{say.value(row.kind)}</Badge>, csv: (row) => row.kind },
        { key: 'note', header: t('colNote'), cell: (row) => <span className="block max-w-[40ch] truncate text-fg-2">{row.note}</span>, csv: (row) => row.note },
        { key: 'by', aside: true, header: t('colBy'), cell: (row) => nameOf(row.madeBy), csv: (row) => row.madeBy },
        { key: 'made', aside: true, header: t('colMade'), align: 'right', cell: (row) => <Time at={row.madeAt} />, csv: (row) => row.madeAt },
        { key: 'until', header: t('colUntil'), align: 'right', mobile: 'primary', cell: (row) => <Time at={row.endsAt} />, csv: (row) => row.endsAt },
      ]}
      empty={params['view'] === 'over' ? { title: t('blocksEmptyOver') } : { title: t('blocksEmpty'), body: t('blocksEmptyBody') }}
      pollMs={30_000}
      sheet={({ id, row, close }) => (id === NEW ? <BlockForm onClose={close} /> : <BlockSheet row={row} onClose={close} />)}
    />
  )
}

function BlockSheet({ row, onClose }: { readonly row: Block | undefined; readonly onClose: () => void }) {
  const t = useTexts(blockTexts)
  const say = useConsoleFormatter()
  const nameOf = useOperatorName()
  if (!row)
    return (
      <SideSheet title={t('blocksTitle')} onClose={onClose}>
        <p className="text-13 text-fg-2">{t('notHere')}</p>
      </SideSheet>
    )
  const isOver = row.liftedAt !== null || Date.parse(row.endsAt) <= Date.now()
  return (
    <SideSheet
      title={<span className="num">{row.value}</span>}
      tags={<Badge>{say.value(row.kind)}</Badge>}
      about={row.kind === 'device' ? <CustomerLink userId={row.value} /> : undefined}
      onClose={onClose}
      foot={isOver ? null : <CommandButton name="risk.unblock" input={{ kind: row.kind, value: row.value }} about={row.value} onDone={onClose} />}
    >
      <FactRows
        rows={[
          [t('colBy'), nameOf(row.madeBy)],
          [t('colMade'), <Time key="made" at={row.madeAt} />],
          [t('colUntil'), <Time key="ends" at={row.endsAt} />],
        ]}
      />
      {isOver ? (
        <p className="mt-3 text-13 text-fg-2">
          {row.liftedAt && row.liftedBy !== 'time' ? t('lifted', { name: nameOf(row.liftedBy ?? ''), at: displayTime(row.liftedAt) }) : t('ranOut')}
        </p>
      ) : null}
      {row.note ? <p className="mt-3 text-13 whitespace-pre-line">{row.note}</p> : null}
    </SideSheet>
  )
}
