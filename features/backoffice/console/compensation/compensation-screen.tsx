import { Plus } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { useAddress } from '../kit/address.ts'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { useHasPermission } from '../kit/use-me.ts'
import { BULK_TONES, bulkApi } from './api.ts'
import type { Bulk } from './api.ts'
import { BulkSheet } from './bulk-sheet.tsx'
import { CampaignSheet } from './campaign-sheet.tsx'
import { bulkTexts } from './texts.ts'
import { COMPENSATION_STATE_TEXT } from './state-texts.ts'

const NEW = 'new'

/** Campaigns and bulk acts: each with what is done, refused and still waits, and a result a row. */
export function CompensationScreen() {
  const t = useTexts(bulkTexts)
  const say = useConsoleFormatter()
  const nameOf = useOperatorName()
  const may = useHasPermission()
  const [, go] = useAddress()
  return (
    <ListScreen<Bulk>
      name="bulks"
      title={t('title')}
      about={t('about')}
      actions={
        may('customers.grant') ? (
          <Button onClick={() => go({ open: NEW })}>
            <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
            {t('newCampaign')}
          </Button>
        ) : null
      }
      load={({ after, limit }, signal) => bulkApi.bulks({ limit, ...(after === undefined ? {} : { after }) }, { signal })}
      file="/operator/bulks"
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'title',
          header: t('colTitle'),
          mobile: 'title',
          cell: (row) => <strong className="font-semibold">{row.kind === row.title ? say.command(row.kind) : row.title}</strong>,
          csv: (row) => row.title,
        },
        { key: 'done', header: t('colDone'), align: 'right', cell: (row) => <span className="num">{row.done}</span>, csv: (row) => String(row.done) },
        {
          key: 'refused',
          header: t('colRefused'),
          align: 'right',
          cell: (row) => <span className={`num ${row.refused ? 'text-warning' : 'text-fg-3'}`}>{row.refused}</span>,
          csv: (row) => String(row.refused),
        },
        {
          key: 'waiting',
          header: t('colWaiting'),
          align: 'right',
          cell: (row) => <span className="num text-fg-3">{row.waiting}</span>,
          csv: (row) => String(row.waiting),
        },
        {
          key: 'amount',
          header: t('colAmount'),
          align: 'right',
          cell: (row) => <span className="num">{row.amount === '0' ? '—' : displayUsd(row.amount)}</span>,
          csv: (row) => row.amount,
        },
        { key: 'who', aside: true, header: t('colWho'), cell: (row) => nameOf(row.madeBy), csv: (row) => nameOf(row.madeBy) },
        { key: 'when', aside: true, header: t('colWhen'), align: 'right', cell: (row) => <Time at={row.madeAt} />, csv: (row) => row.madeAt },
        {
          key: 'state',
          header: t('colState'),
          mobile: 'primary',
          cell: (row) => <Badge tone={BULK_TONES[row.state]}>{t(COMPENSATION_STATE_TEXT[row.state])}</Badge>,
          csv: (row) => row.state,
        },
      ]}
      empty={{ title: t('emptyTitle'), body: t('emptyBody') }}
      pollMs={5_000}
      sheet={({ id, close }) => (id === NEW ? <CampaignSheet onClose={close} /> : <BulkSheet key={id} id={id} onClose={close} />)}
    />
  )
}
