import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table.tsx'
import type { UpgradeRow } from '../contract.ts'
import { upgradeTexts } from '../texts.ts'
import { useUpgrades } from './use-upgrade.ts'
import { UPGRADE_TONES } from './words.ts'
import { UPGRADE_CAUSE_TEXT } from '../state-texts.ts'

const STATE_TEXT = {
  failed: 'state_failed',
  draft: 'state_draft',
  done: 'state_done',
  placed: 'state_placed',
  queued: 'state_queued',
  captcha: 'state_captcha',
  link_expired: 'state_link_expired',
} as const

/** Every upgrade that was ordered; nothing is drawn before the first. */
export function UpgradeRecords({ shown, onOpen }: { readonly shown: string | undefined; readonly onOpen: (id: string) => void }) {
  const t = useTexts(upgradeTexts)
  const rows = useUpgrades(true).data ?? []
  if (!rows.length) return null
  const columns: readonly Column<UpgradeRow>[] = [
    {
      key: 'time',
      header: t('col_upTime'),
      cell: (row) => <span className="num text-13 whitespace-nowrap text-fg-2">{displayTime(row.queuedTime ?? '').slice(5)}</span>,
    },
    { key: 'plan', header: t('col_upPlan'), mobile: 'title', cell: (row) => row.planName },
    { key: 'account', header: t('account'), cell: (row) => <span className="num text-13 whitespace-normal [overflow-wrap:anywhere]">{row.account}</span> },
    {
      key: 'state',
      header: t('col_upState'),
      mobile: 'primary',
      cell: (row) => <Badge tone={UPGRADE_TONES[row.state]}>{row.cause ? t(UPGRADE_CAUSE_TEXT[row.cause]) : t(STATE_TEXT[row.state])}</Badge>,
    },
    { key: 'taken', header: t('taken'), align: 'right', cell: (row) => <span className="num">{displayUsd(row.taken)}</span> },
    {
      key: 'open',
      header: t('col_upOpen'),
      align: 'right',
      cell: (row) =>
        row.id === shown ? (
          <span className="text-13 text-fg-3">{t('shownNow')}</span>
        ) : (
          <Button size="sm" variant="ghost" aria-label={`${t('look')} ${row.ticket}`} onClick={() => onOpen(row.id)}>
            {t('look')}
          </Button>
        ),
    },
  ]
  return (
    <section aria-label={t('records')} className="mt-10 min-w-0">
      <h2 className="mb-3 text-16 font-bold">{t('records')}</h2>
      <DataTable caption={t('records')} columns={columns} rows={rows} rowKey={(row) => row.id} />
    </section>
  )
}
