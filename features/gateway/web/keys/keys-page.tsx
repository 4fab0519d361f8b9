import { Link, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { countCommonPlaces } from '#platform/shared/show-money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { FIGURES } from '#features/wallet/contract-figures.ts'
import { sumUsd, Usd } from '#platform/web/money.tsx'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { CheckboxField } from '#ui/fields/checkbox-field.tsx'
import { DataTable, type Column } from '#ui/data-table.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { Spark } from '#ui/figures/spark.tsx'
import { VendorDot } from '../vendors/vendor-dot.tsx'
import type { ApiKeyRow } from '../../contract.ts'
import { gatewayTexts } from '../../texts.ts'
import { useGatewayBalance, useApiKeys, useKeySpend } from '../queries.ts'
import { KeyActions } from './key-actions.tsx'
import { KeyLastUse, KeyName, KeySpend, KeyStateBadge } from './key-cells.tsx'
import { useKeyDialogs } from './key-dialogs.ts'
import { KeyHosts } from './key-hosts.tsx'
import { KeyLimitUse } from './key-use.tsx'
import { KeysEmpty } from './keys-empty.tsx'
import { RotationStrip } from './rotation-strip.tsx'

type Spend = NonNullable<ReturnType<typeof useKeySpend>['data']>['keys'][number]

/** All keys: what each spent, what it may still spend, where it was used last, and what can be done with it. */
export function KeysPage({ titleId }: { readonly titleId: string }) {
  const t = useTexts(gatewayTexts)
  const [withDeleted, setWithDeleted] = useState(false)
  const keys = useApiKeys(withDeleted)
  const spend = useKeySpend()
  const balance = useGatewayBalance().data?.balance
  const openCreate = useKeyDialogs((state) => state.openCreate)
  useLinkedKey(keys.data?.rowList)
  const rows = keys.data?.rowList ?? []
  const spendOf = new Map((spend.data?.keys ?? []).map((one) => [one.keyId, one]))
  const total = sumUsd(rows.map((row) => spendOf.get(row.keyId)?.consumeAmount ?? '0'))
  const places = countCommonPlaces(
    rows.map((row) => spendOf.get(row.keyId)?.consumeAmount ?? '0'),
    4,
  )
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h1 id={titleId} className="text-20 font-bold">
            {t('tab_keys')}
          </h1>
          {rows.length && spend.data ? (
            <p className="text-14 text-fg-2">
              {t('keysSum', { count: rows.length })} <Usd value={total} figure={FIGURES['keys.sum']} places={places} className="font-semibold text-fg" />
            </p>
          ) : null}
        </div>
        <div className="flex items-center gap-4">
          <Link to="/api" search={{ tab: 'start' }} className={getButtonClass('secondary')}>
            {t('tutorial')}
          </Link>
          <CheckboxField label={t('showDeleted')} checked={withDeleted} onChange={(event) => setWithDeleted(event.target.checked)} />
          <Button onClick={openCreate}>
            <Plus size={16} strokeWidth={2} aria-hidden="true" />
            {t('createKey')}
          </Button>
        </div>
      </div>
      {rows.map((row) => (row.rotation ? <RotationStrip key={row.keyId} row={row} /> : null))}
      {keys.error ? (
        <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
      ) : (
        <DataTable
          caption={t('keysTitle')}
          columns={buildColumns(t, spendOf, places)}
          rows={rows}
          rowKey={(row) => row.keyId}
          instead={keys.data ? rows.length ? undefined : <KeysEmpty balance={balance} /> : <SkeletonRows rows={4} />}
        />
      )}
      {rows.length ? <p className="text-13 text-fg-3">{t('keysNote')}</p> : null}
      <KeyHosts balance={balance} />
    </div>
  )
}

function buildColumns(
  t: ReturnType<typeof useTexts<keyof (typeof gatewayTexts)['zh']>>,
  spendOf: ReadonlyMap<string, Spend>,
  places: number,
): Column<ApiKeyRow>[] {
  return [
    { key: 'name', header: t('keyName'), mobile: 'title', cell: (row) => <KeyName row={row} /> },
    {
      key: 'spend',
      header: t('keySpend'),
      cell: (row) => {
        const spend = spendOf.get(row.keyId)
        const amount = spend?.consumeAmount ?? '0'
        return (
          <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1 mobile:flex-row-reverse">
            <Spark values={(spend?.days ?? []).map(Number)} label={t('keySparkOf', { name: row.keyName })} />
            <KeySpend amount={amount} places={places} />
          </span>
        )
      },
    },
    {
      key: 'model',
      header: t('keyLastModel'),
      cell: (row) =>
        row.lastModel === null ? (
          <span className="text-fg-3">–</span>
        ) : (
          <span className="inline-flex items-center gap-2 text-13 [overflow-wrap:anywhere]">
            <VendorDot vendor={row.lastVendor ?? ''} />
            <code className="num whitespace-normal">{row.lastModel}</code>
          </span>
        ),
    },
    { key: 'limits', header: t('keyLimit'), cell: (row) => <KeyLimitUse row={row} /> },
    { key: 'used', header: t('keyLastUsed'), cell: (row) => <KeyLastUse row={row} /> },
    { key: 'state', header: t('callStatus'), mobile: 'primary', cell: (row) => <KeyStateBadge row={row} /> },
    {
      key: 'actions',
      header: <span className="sr-only">{t('keyActions')}</span>,
      align: 'right',
      mobile: 'actions',
      className: 'whitespace-nowrap',
      cell: (row) => <KeyActions row={row} />,
    },
  ]
}

/** A refusal of the model API links to the key whose limit it met. Once a link: the address is cleared a moment later. */
function useLinkedKey(rows: readonly ApiKeyRow[] | undefined): void {
  const navigate = useNavigate()
  const [linked] = useQueryParam<string>('key', '')
  const openRename = useKeyDialogs((state) => state.openRename)
  const opened = useRef('')
  useEffect(() => {
    if (linked === '' || !rows || opened.current === linked) return
    opened.current = linked
    const row = rows.find((one) => one.keyId === linked && one.status !== 'deleted')
    void navigate({ to: '.', search: (old: object) => ({ ...old, tab: 'keys', key: undefined }), replace: true, resetScroll: false })
    if (row) openRename(row)
  }, [linked, rows, navigate, openRename])
}
