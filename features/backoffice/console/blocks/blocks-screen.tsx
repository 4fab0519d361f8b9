import { Plus } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { Time, displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { BLOCK_KINDS, blocksContract } from '#features/risk/contract-blocks.console.ts'
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
import { BlockForm } from './block-form.tsx'
import { blockTexts } from './texts.ts'

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
