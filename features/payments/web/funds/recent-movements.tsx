import { Link, useNavigate } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import type { FundsRow } from '#features/wallet/contract-funds.ts'
import { fundsTexts } from '../../texts-funds.ts'
import { MovementList } from './movement-list.tsx'

/** The latest movements, as the funds page lists them; each links to its sheet there. */
export function RecentMovements({ rows }: { readonly rows: readonly FundsRow[] | undefined }) {
  const t = useTexts(fundsTexts)
  const navigate = useNavigate()
  return (
    <section aria-labelledby="recent-title">
      <div className="mb-3 flex items-baseline justify-between gap-3">
        <h2 id="recent-title" className="text-16 font-bold">
          {t('funds_recent')}
        </h2>
        <Link to="/api" search={{ tab: 'rechargeRecord' }} className="link text-14">
          {t('funds_recent_all')}
        </Link>
      </div>
      {rows === undefined ? (
        <div className="card p-4">
          <Skeleton className="h-40" />
        </div>
      ) : rows.length ? (
        <MovementList label={t('funds_recent')} rows={rows} onShow={(id) => void navigate({ to: '/api', search: { tab: 'rechargeRecord', row: id } })} />
      ) : (
        <p className="card p-5 text-14 text-fg-2">{t('funds_recent_none')}</p>
      )}
    </section>
  )
}
