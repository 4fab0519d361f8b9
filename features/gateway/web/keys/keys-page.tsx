import { Link, useNavigate } from '@tanstack/react-router'
import { Plus, RefreshCw, Ellipsis } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { countCommonPlaces, formatCount } from '#platform/shared/show-money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { FIGURES } from '#features/wallet/contract-figures.ts'
import { sumUsd, Usd, displayUsd, displayShortUsd } from '#platform/web/money.tsx'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { CheckboxField } from '#ui/fields/checkbox-field.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { Spark } from '#ui/figures/spark.tsx'
import { VendorDot } from '../vendors/vendor-dot.tsx'
import type { ApiKeyRow } from '../../contract.ts'
import { gatewayTexts } from '../../texts.ts'
import { useGatewayBalance, useApiKeys, useKeySpend, useKeysChanged } from '../queries.ts'
import { KeyLastUse, KeyName, KeySpend, KeyStateBadge } from './key-cells.tsx'
import { useKeyDialogs } from './key-dialogs.ts'
import { KeyHosts } from './key-hosts.tsx'
import { KeysEmpty } from './keys-empty.tsx'
import { Meter } from '#ui/figures/meter.tsx'
import { computeBudgetShare, resolveApiKeyState } from './key-state.ts'
import { toLastDay } from './limits-form.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { displayTime } from '#platform/web/time.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { toast } from '#ui/layers/toast.ts'
import { keysApi } from '../gateway-api.ts'
import { copyText } from '#platform/web/clipboard.ts'
import { runIfFeatureOn } from '#platform/web/state/flags.ts'
import { withStepUp } from '#platform/web/calls/step-up.ts'
import { LazyMenu } from '#ui/layers/lazy-menu.tsx'
import type { TextKeyOf } from '#platform/shared/texts.ts'

/** The most common action for a key's state, and a menu with the others. */
function KeyActions({ row }: { readonly row: ApiKeyRow }) {
  const t = useTexts(gatewayTexts)
  const { openRename, openDelete, openRotate, openTest } = useKeyDialogs()
  const changed = useKeysChanged()
  if (row.status === 'deleted') return <span className="text-13 text-fg-3">{t('keyBillsStay')}</span>
  const turn = (on: boolean) =>
    runIfFeatureOn('modifyKey', () => {
      void withStepUp(() => keysApi.switchKey({ keyId: row.keyId, on }))
        .then(async (done) => {
          if (!done) return
          toast.success(t(on ? 'keyEnabled' : 'keyDisabled'))
          await changed()
        })
        .catch((failure: unknown) => toast.error(isApiError(failure) ? failure.message : String(failure)))
    })
  const copyId = () => void copyText(row.keyId).then((done) => (done ? toast.success(t('keyIdCopied', { id: row.keyId })) : toast.warning(row.keyId)))
  const off = row.status === 'disabled'
  const paused = row.status === 'paused'
  const idle = resolveApiKeyState(row, Date.now()).kind === 'idle'
  const first = paused
    ? undefined
    : off
      ? { word: t('enable'), act: () => turn(true) }
      : idle
        ? { word: t('disable'), act: () => turn(false) }
        : row.rotation
          ? undefined
          : { word: t('rotate'), act: () => openRotate(row) }
  return (
    <span className="inline-flex items-center justify-end">
      {first ? (
        <Button size="sm" variant="ghost" aria-label={`${first.word} ${row.keyName}`} onClick={first.act}>
          {first.word}
        </Button>
      ) : null}
      <LazyMenu
        trigger={
          <button type="button" className="icon-btn" aria-label={t('keyMore', { name: row.keyName })}>
            <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
          </button>
        }
        groups={[
          [
            { key: 'test', label: t('testTitle'), onSelect: () => openTest(row), disabled: off || paused },
            { key: 'edit', label: t('editKey'), onSelect: () => openRename(row) },
            ...(row.rotation || paused || (first?.act && !off && !idle) ? [] : [{ key: 'rotate', label: t('rotate'), onSelect: () => openRotate(row) }]),
            ...(paused
              ? []
              : [off ? { key: 'on', label: t('enable'), onSelect: () => turn(true) } : { key: 'off', label: t('disable'), onSelect: () => turn(false) }]),
            { key: 'id', label: t('copyKeyId'), onSelect: copyId },
          ],
          [{ key: 'delete', label: t('deleteKeyWord'), danger: true, onSelect: () => openDelete(row) }],
        ]}
      />
    </span>
  )
}

/** A rotation in progress: the time until which the old secret works, and its recent use. */
function RotationStrip({ row }: { readonly row: ApiKeyRow }) {
  const t = useTexts(gatewayTexts)
  const changed = useKeysChanged()
  const [busy, setBusy] = useState(false)
  const { rotation } = row
  if (!rotation) return null
  const end = async () => {
    const body = rotation.calls ? t('endOldUsed', { count: formatCount(rotation.calls) }) : t('endOldUnused')
    if (!(await confirm({ title: t('endOldTitle', { token: rotation.apiToken }), body, action: t('endOld'), danger: true }))) return
    setBusy(true)
    try {
      await keysApi.endOldSecret({ keyId: row.keyId })
      toast.success(t('endOldDone'))
      await changed()
    } catch (failure) {
      toast.error(isApiError(failure) ? failure.message : String(failure))
    } finally {
      setBusy(false)
    }
  }
  const ends = displayTime(rotation.endsAt).slice(5)
  return (
    <AlertBox
      icon={<RefreshCw size={18} strokeWidth={1.75} aria-hidden="true" className="mt-0.5 shrink-0 text-info" />}
      action={
        <Button variant="secondary" size="sm" loading={busy} onClick={() => void end()}>
          {t('endOld')}
        </Button>
      }
    >
      <span className="font-semibold text-fg break-anywhere">{row.keyName}</span>{' '}
      {t('rotationNow', { token: row.apiToken, old: rotation.apiToken, time: ends })}{' '}
      {rotation.calls && rotation.lastUseAt
        ? t('rotationUsed', { count: formatCount(rotation.calls), time: displayTime(rotation.lastUseAt).slice(5) })
        : t('rotationUnused')}
    </AlertBox>
  )
}

/** Limits of a key in its row: the used share of its budgets, and the other limits in one line. */
function KeyLimitUse({ row }: { readonly row: ApiKeyRow }) {
  const t = useTexts(gatewayTexts)
  const { limits, use } = row
  if (limits === null) return <span className="text-fg-3">{t('limitNone')}</span>
  // the row's badge shows the day already
  const isSaid = ['expires', 'expired'].includes(resolveApiKeyState(row, Date.now()).kind)
  const facts = [
    limits.requestsPerMinute === null ? '' : t('limitFact_requests', { count: formatCount(limits.requestsPerMinute) }),
    limits.tokensPerMinute === null ? '' : t('limitFact_tokens', { count: formatCount(limits.tokensPerMinute) }),
    limits.concurrency === null ? '' : t('limitFact_concurrency', { count: formatCount(limits.concurrency) }),
    limits.models.length === 0 ? '' : limits.models.length === 1 ? limits.models[0]! : t('limitFact_models', { count: limits.models.length }),
    limits.networks.length === 0 ? '' : limits.networks.length === 1 ? limits.networks[0]! : t('limitFact_networks', { count: limits.networks.length }),
    limits.onDisconnect === 'drain' ? t('limitFact_drain') : '',
    limits.expiresAt === null || isSaid ? '' : t('limitFact_until', { day: toLastDay(limits.expiresAt) }),
  ].filter(Boolean)
  return (
    <div className="grid min-w-40 gap-1.5 text-13 mobile:w-56">
      {limits.dayBudget === null ? null : <Budget label={t('limitBar_day')} used={use?.dayAmount ?? '0'} of={limits.dayBudget} />}
      {limits.monthBudget === null ? null : <Budget label={t('limitBar_month')} used={use?.monthAmount ?? '0'} of={limits.monthBudget} />}
      {facts.length ? <p className="text-fg-2 [overflow-wrap:anywhere]">{facts.join(' · ')}</p> : null}
    </div>
  )
}

/** Shows the decimal places that a small amount needs, so that 60 % of a cent does not appear as zero. */
function Budget({ label, used, of }: { readonly label: string; readonly used: string; readonly of: string }) {
  return <Meter label={label} used={displayShortUsd(used, 'spent')} of={displayUsd(of)} share={computeBudgetShare(used, of)} />
}

type Spend = NonNullable<ReturnType<typeof useKeySpend>['data']>['keys'][number]

/** All keys with their spending, remaining budget, last use and actions. */
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
  t: ReturnType<typeof useTexts<TextKeyOf<typeof gatewayTexts>>>,
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

/** Opens the key named in the link of a model API refusal. Handles each link once: the address is cleared a moment later. */
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
