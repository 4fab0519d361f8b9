import { Link } from '@tanstack/react-router'
import { countCommonPlaces } from '#platform/shared/show-money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { DataTable, type Column } from '#ui/data-table.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Skeleton, SkeletonRows } from '#ui/skeleton.tsx'
import type { ApiKeyRow } from '../../contract.ts'
import { gatewayTexts } from '../../texts.ts'
import { useApiKeys, useKeySpend } from '../queries.ts'
import { KeyLastUse, KeyName, KeySpend, KeyStateBadge } from './key-cells.tsx'
import { useKeyDialogs } from './key-dialogs.ts'
import { KeyHosts } from './key-hosts.tsx'
import { KeysEmpty } from './keys-empty.tsx'

const MAX_KEYS = 5

/** The newest keys, for the overview; the keys page has the details. */
export function KeysBrief({ balance }: { readonly balance: string | undefined }) {
  const t = useTexts(gatewayTexts)
  const keys = useApiKeys(false)
  const spend = useKeySpend()
  const openCreate = useKeyDialogs((state) => state.openCreate)
  const rows = keys.data?.rowList ?? []
  const spendOf = new Map((spend.data?.keys ?? []).map((one) => [one.keyId, one.consumeAmount]))
  const places = countCommonPlaces(
    rows.map((row) => spendOf.get(row.keyId) ?? '0'),
    4,
  )
  const columns: Column<ApiKeyRow>[] = [
    { key: 'name', header: t('keyName'), mobile: 'title', cell: (row) => <KeyName row={row} /> },
    { key: 'spend', header: t('keySpend'), align: 'right', cell: (row) => <KeySpend amount={spendOf.get(row.keyId) ?? '0'} places={places} /> },
    { key: 'used', header: t('keyLastUsed'), cell: (row) => <KeyLastUse row={row} /> },
    { key: 'state', header: t('callStatus'), mobile: 'primary', cell: (row) => <KeyStateBadge row={row} /> },
  ]
  return (
    <section aria-labelledby="keys-title">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 id="keys-title" className="text-16 font-semibold">
          {t('keysTitle')}
        </h2>
        <div className="flex items-center gap-2">
          {rows.length ? (
            <Link to="/api" search={{ tab: 'keys' }} className={getButtonClass('ghost', 'sm')}>
              {t('keysAll', { count: keys.data?.totalRecord })}
            </Link>
          ) : keys.isPending ? (
            <span className="px-3">
              <Skeleton className="h-4 w-14" />
            </span>
          ) : null}
          <Link to="/api" search={{ tab: 'start' }} className={getButtonClass('ghost', 'sm')}>
            {t('tutorial')}
          </Link>
          <Button variant="secondary" size="sm" onClick={openCreate}>
            {t('createKey')}
          </Button>
        </div>
      </div>
      {keys.error ? (
        <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
      ) : (
        <DataTable
          caption={t('keysTitle')}
          columns={columns}
          rows={rows.slice(0, MAX_KEYS)}
          rowKey={(row) => row.keyId}
          instead={keys.data ? rows.length ? undefined : <KeysEmpty balance={balance} /> : <SkeletonRows rows={3} />}
        />
      )}
      <KeyHosts balance={balance} />
    </section>
  )
}
