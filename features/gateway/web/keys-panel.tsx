import { useEffect, useRef, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { openDialog } from '#platform/web/dialogs.ts'
import { Time } from '#platform/web/time.tsx'
import { useQueryParam } from '#platform/web/url-state.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { CheckboxField } from '#ui/checkbox-field.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { DataTable, type Column } from '#ui/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import type { KeyRow } from '../contract.ts'
import { gatewayTexts } from '../texts.ts'
import { DeleteKeyDialog } from './delete-key-dialog.tsx'
import { useKeyDialogs } from './key-dialogs.ts'
import { KeyDialog } from './key-dialog.tsx'
import { KeyReadyDialog } from './key-ready-dialog.tsx'
import { KeyUse } from './key-use.tsx'
import { useKeys } from './queries.ts'

/** The keys: masked, with what can be done to them. */
export function KeysPanel({ balance }: { readonly balance: string | undefined }) {
  const t = useTexts(gatewayTexts)
  const [withDeleted, setWithDeleted] = useState(false)
  const keys = useKeys(withDeleted)
  const { openCreate, openRename, openDelete } = useKeyDialogs()
  const rows = keys.data?.rowList ?? []
  // A refusal of the model API links to the key whose limit it met.
  const [linked, setLinked] = useQueryParam<string>('key', '')
  const opened = useRef('')
  useEffect(() => {
    // Once a link: the address is cleared a moment later, and every navigation draws this anew.
    if (linked === '' || !keys.data || opened.current === linked) return
    opened.current = linked
    const row = keys.data.rowList.find((one) => one.keyId === linked && one.status === 'active')
    setLinked('')
    if (row) openRename(row)
  }, [linked, keys.data, setLinked, openRename])
  const hasMoney = balance === undefined || /[1-9]/.test(balance)
  const columns: Column<KeyRow>[] = [
    {
      key: 'name',
      header: t('keyName'),
      mobile: 'title',
      className: 'max-w-80',
      cell: (row) => (
        <span className={`inline-flex max-w-full items-center gap-2 ${row.status === 'deleted' ? 'text-fg-3' : 'font-semibold'}`}>
          <span className="min-w-0 [overflow-wrap:anywhere]">{row.keyName}</span>
          {row.status === 'deleted' ? <Badge>{t('deleted')}</Badge> : null}
        </span>
      ),
    },
    {
      key: 'token',
      header: t('keyToken'),
      cell: (row) => (
        <span className="inline-flex items-center gap-1 whitespace-nowrap">
          <code className="num text-13">{row.apiToken}</code>
          <CopyButton iconOnly text={row.keyId} label={t('copyKeyId')} className="-my-2" />
        </span>
      ),
    },
    { key: 'limits', header: t('limitsTitle'), cell: (row) => <KeyUse row={row} /> },
    { key: 'created', header: t('keyCreated'), className: 'whitespace-nowrap', cell: (row) => <Time at={row.createdAt} show="day" /> },
    {
      key: 'used',
      header: t('keyLastUsed'),
      className: 'whitespace-nowrap',
      cell: (row) => (row.lastUseAt ? <Time at={row.lastUseAt} /> : <span className="text-fg-3">{t('keyNeverUsed')}</span>),
    },
    {
      key: 'actions',
      header: <span className="sr-only">{t('keyActions')}</span>,
      align: 'right',
      mobile: 'actions',
      className: 'whitespace-nowrap',
      cell: (row) =>
        row.status === 'deleted' ? null : (
          <span className="inline-flex gap-1">
            <Button size="sm" variant="ghost" aria-label={t('editKeyOf', { name: row.keyName })} onClick={() => openRename(row)}>
              {t('editKey')}
            </Button>
            <Button size="sm" variant="ghost" aria-label={t('deleteKeyOf', { name: row.keyName })} onClick={() => openDelete(row)}>
              {t('deleteKeyWord')}
            </Button>
          </span>
        ),
    },
  ]
  const empty = (
    <EmptyState
      title={hasMoney ? t('keysEmpty') : t('keysEmptyNoBalance')}
      action={hasMoney ? <Button onClick={openCreate}>{t('createKey')}</Button> : <Button onClick={() => openDialog('recharge')}>{t('recharge')}</Button>}
    />
  )
  return (
    <section aria-labelledby="keys-title">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 id="keys-title" className="text-16 font-semibold">
          {t('keysTitle')}
        </h2>
        <div className="flex items-center gap-4">
          <CheckboxField label={t('showDeleted')} checked={withDeleted} onChange={(event) => setWithDeleted(event.target.checked)} />
          <Button variant="secondary" onClick={openCreate}>
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
          rows={rows}
          rowKey={(row) => row.keyId}
          instead={keys.data ? rows.length ? undefined : empty : <SkeletonRows rows={3} />}
        />
      )}
      <KeyDialog balance={balance} />
      <DeleteKeyDialog />
      <KeyReadyDialog />
    </section>
  )
}
