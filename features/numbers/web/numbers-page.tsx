import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { toast } from '#ui/layers/toast.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import type { NumberRow } from '../contract.ts'
import { numberTexts } from '../texts.ts'
import { ChooseNumber } from './choose.tsx'
import { WaitOdds } from './odds.tsx'
import { NumberRecords } from './records.tsx'
import { NumberTicket } from './ticket.tsx'
import { useChime } from './use-chime.ts'
import { useNumberKeys } from './use-number-keys.ts'
import { numbersApi, refreshNumbers, cacheNumber, useCurrentNumber, useLiveNumber, useNumberStat } from './use-numbers.ts'

/** /sms: choose a service, wait for the code at one number, and every number there was. */
export function NumbersPage() {
  const t = useTexts(numberTexts)
  const current = useCurrentNumber()
  const stat = useNumberStat()
  const row = current.data
  const [chosen, choose] = useState(false)
  useTitle(row && row.state === 'waiting' ? t('waitTitle') : t('title'))
  useLiveNumber(row)
  useChime(row)
  const retry = () => {
    void current.refetch()
    void stat.refetch()
  }
  const failed = (current.isError && row === undefined) || (stat.isError && !stat.data)
  if (failed || row === undefined || !stat.data) {
    return (
      <Shell>
        <Head title={t('title')} />
        {failed ? <ErrorState error={current.error ?? stat.error} onRetry={retry} /> : <Waiting />}
      </Shell>
    )
  }
  if (!row || chosen) {
    return (
      <Shell>
        <Head title={t('title')} />
        <p className="-mt-2 mb-6 text-14 text-fg-2">{t('lead')}</p>
        <div className="grid items-start gap-10 desktop:grid-cols-[minmax(0,520px)_minmax(0,1fr)] mobile:gap-8">
          <ChooseNumber stat={stat.data} onApplied={() => choose(false)} />
          <NumberRecords />
        </div>
      </Shell>
    )
  }
  return <CurrentNumber row={row} stat={stat.data} onOther={() => choose(true)} />
}

interface CurrentNumberProps {
  readonly row: NumberRow
  readonly stat: NonNullable<ReturnType<typeof useNumberStat>['data']>
  readonly onOther: () => void
}

function CurrentNumber({ row, stat, onOther }: CurrentNumberProps) {
  const t = useTexts(numberTexts)
  const [giving, changing] = [useSubmit(), useSubmit()]
  const open = row.state === 'waiting' || row.state === 'wanted'
  const giveBack = async (): Promise<boolean> => {
    try {
      cacheNumber(await numbersApi.overseaMobileCancel({ id: row.id }))
      refreshNumbers()
      return true
    } catch (error) {
      toast.error((error as Error).message)
      return false
    }
  }
  const cancel = async () => {
    if (await confirm({ title: t('cancelTitle'), body: t('cancelBody'), action: t('cancelDo') })) await giving.run(async () => void (await giveBack()))
  }
  const other = () =>
    void changing.run(async () => {
      if (open && !(await giveBack())) return
      try {
        cacheNumber(await numbersApi.overseaMobileApply({ type: row.type, country: row.country }))
        refreshNumbers()
      } catch (error) {
        toast.error((error as Error).message)
        onOther()
      }
    })
  useNumberKeys({ row, onOther: other })
  return (
    <Shell>
      <button type="button" className="link mb-1 text-13 mobile:min-h-11" onClick={onOther} hidden={open}>
        {t('toNumbers')}
      </button>
      <Head title={open ? t('waitTitle') : t('title')}>
        <Button variant="secondary" loading={changing.isRunning} onClick={other} aria-keyshortcuts="N">
          <RefreshCw size={16} strokeWidth={1.75} aria-hidden="true" />
          {t(open ? 'otherNumber' : 'oneMore')}
        </Button>
        {open ? (
          <Button variant="ghost" loading={giving.isRunning} onClick={() => void cancel()}>
            {t('giveNumberBack')}
          </Button>
        ) : null}
      </Head>
      <div className="grid items-start gap-10 desktop:grid-cols-[minmax(0,520px)_minmax(0,1fr)] mobile:gap-8">
        <div>
          <NumberTicket row={row} minutes={stat.minutes} />
          {open ? <p className="mt-4 px-6 text-13 text-fg-3 mobile:px-3">{t('changeFree')}</p> : null}
        </div>
        <div className="grid min-w-0 gap-8">
          <WaitOdds row={row} measured={stat.services.find(({ service }) => service === row.service)?.measured} minutes={stat.minutes} />
          <NumberRecords />
        </div>
      </div>
    </Shell>
  )
}

function Shell({ children }: { readonly children: ReactNode }) {
  return <div className="min-w-0">{children}</div>
}

function Head({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <header className="mb-5 flex flex-wrap items-center justify-between gap-3">
      <h1 className="text-20 font-bold">{title}</h1>
      <div className="flex flex-wrap gap-2">{children}</div>
    </header>
  )
}

function Waiting() {
  return (
    <div className="grid gap-10 desktop:grid-cols-[minmax(0,520px)_minmax(0,1fr)]" aria-busy="true">
      <Skeleton className="h-96" />
      <Skeleton className="h-72" />
    </div>
  )
}
