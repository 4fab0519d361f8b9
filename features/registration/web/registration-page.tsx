import { useEffect, useRef, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { onPaid } from '#platform/web/state/paid.ts'
import { displayTime } from '#platform/web/time.tsx'
import { useTitle } from '#platform/web/title.ts'
import { Badge } from '#ui/badge.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Skeleton, SkeletonRows } from '#ui/skeleton.tsx'
import type { RegistrationRow } from '../contract.ts'
import { registrationTexts } from '../texts.ts'
import { ApplyForm } from './apply-form.tsx'
import { RegistrationStatus } from './registration-status.tsx'
import { ACCOUNT_ORDER, REGISTRATION_TONES } from './words.ts'
import { refreshRegistrations, refreshAfterRegistration, useCurrentRegistration, useRegistrationCount, useRegistrations } from './use-registration.ts'
import { REGISTRATION_REG_STATE_TEXT } from '../state-texts.ts'

/** /openai-register: what a person needs to register an account, how it goes, and every one there was. */
export function RegistrationPage() {
  const t = useTexts(registrationTexts)
  useTitle(t('regTitle'))
  const count = useRegistrationCount()
  const current = useCurrentRegistration()
  const [isNew, setNew] = useState(false)
  const standing = current.data && `${current.data.current?.id} ${current.data.current?.state}`
  // The result also changes the records and the balance.
  const before = useRef(standing)
  useEffect(() => {
    if (before.current !== undefined && before.current !== standing) refreshAfterRegistration()
    before.current = standing
  }, [standing])
  useEffect(() => onPaid(({ orderType }) => (orderType === ACCOUNT_ORDER ? refreshRegistrations() : undefined)), [])
  if (!count.data || !current.data) {
    const failed = [count, current].find(({ isError, data }) => isError && !data)
    return (
      <div className="min-w-0">
        <h1 className="mb-6 text-20 font-bold">{t('regTitle')}</h1>
        {failed ? <ErrorState error={failed.error} onRetry={() => void failed.refetch()} /> : <Skeleton className="h-96" />}
      </div>
    )
  }
  const row = current.data.current
  const shown = row && !isNew && !(row.state === 'failed' && row.cause === 'not_paid') ? row : undefined
  return (
    <div className="min-w-0">
      <h1 className="mb-2 text-20 font-bold">{t('regTitle')}</h1>
      <p className="mb-6 max-w-[640px] text-14 text-fg-2">{t('regLead', { price: displayUsd(count.data.price) })}</p>
      <div className="grid items-start gap-10 desktop:grid-cols-[minmax(0,480px)_minmax(0,1fr)] mobile:gap-8">
        {shown ? (
          <RegistrationStatus row={shown} ahead={current.data.ahead} count={count.data} onNew={() => setNew(true)} />
        ) : (
          <ApplyForm count={count.data} onDone={() => setNew(false)} />
        )}
        <RegistrationRecords />
      </div>
    </div>
  )
}

function RegistrationRecords() {
  const t = useTexts(registrationTexts)
  const list = useRegistrations()
  const rows = list.data ?? []
  const columns: readonly Column<RegistrationRow>[] = [
    {
      key: 'time',
      header: t('col_regTime'),
      cell: (row) => <span className="num text-13 whitespace-nowrap text-fg-2">{displayTime(row.createdTime).slice(5)}</span>,
    },
    { key: 'account', header: t('regAccount'), mobile: 'title', cell: (row) => <span className="num text-13 break-all whitespace-normal">{row.account}</span> },
    {
      key: 'state',
      header: t('col_regState'),
      mobile: 'primary',
      cell: (row) => <Badge tone={REGISTRATION_TONES[row.state]}>{t(REGISTRATION_REG_STATE_TEXT[row.state])}</Badge>,
    },
    { key: 'charged', header: t('regCharged'), align: 'right', cell: (row) => <span className="num">{displayUsd(row.charged)}</span> },
  ]
  return (
    <section aria-label={t('regRecords')} className="min-w-0">
      <h2 className="mb-3 text-16 font-bold">{t('regRecords')}</h2>
      <DataTable
        caption={t('regRecords')}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.id}
        instead={list.isPending ? <SkeletonRows /> : rows.length ? undefined : <EmptyState title={t('regNone')} body={t('regNoneAbout')} />}
      />
    </section>
  )
}
