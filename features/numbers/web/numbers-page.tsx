import { RefreshCw } from 'lucide-react'
import { useState, useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState, EmptyState } from '#ui/error-state.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { toast } from '#ui/layers/toast.ts'
import { Skeleton, SkeletonRows } from '#ui/skeleton.tsx'
import type { NumberRow } from '../contract.ts'
import { numberTexts } from '../texts.ts'
import { ChooseNumber } from './choose.tsx'
import { WaitOdds } from './odds.tsx'
import { NumberTicket } from './ticket.tsx'
import { numbersApi, refreshNumbers, cacheNumber, useCurrentNumber, useLiveNumber, useNumberStat, useNumberRecords } from './use-numbers.ts'
import { copyText } from '#platform/web/clipboard.ts'
import { displayTime } from '#platform/web/time.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { formatMessageCode, formatPhoneNumber } from './words.ts'
import { NUMBERS_SERVICE_TEXT, NUMBERS_STATE_TEXT } from '../state-texts.ts'

/** All past numbers with their outcome. */
function NumberRecords() {
  const t = useTexts(numberTexts)
  const list = useNumberRecords()
  const rows = list.data?.pages.flatMap((page) => page.rowList) ?? []
  const columns: readonly Column<NumberRow>[] = [
    {
      key: 'time',
      header: t('col_time'),
      cell: (row) => <span className="num text-13 whitespace-nowrap text-fg-2">{displayTime(row.appliedTime).slice(5)}</span>,
    },
    { key: 'service', header: t('col_service'), mobile: 'title', cell: (row) => t(NUMBERS_SERVICE_TEXT[row.service]) },
    {
      key: 'number',
      header: t('col_number'),
      cell: (row) => <span className="num text-13 whitespace-nowrap">{row.number ? formatPhoneNumber(row.number) : '—'}</span>,
    },
    { key: 'code', header: t('col_code'), mobile: 'primary', cell: (row) => <RecordCode row={row} /> },
    {
      key: 'result',
      header: t('uses'),
      align: 'right',
      cell: (row) => <span className={`num text-13 ${row.returned ? 'text-fg-3' : ''}`}>{t('chance', { n: row.returned ? '0' : '1' })}</span>,
    },
  ]
  return (
    <section aria-label={t('records')} className="min-w-0">
      <h2 className="mb-3 text-16 font-bold">{t('records')}</h2>
      {list.isError && !rows.length ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <>
          <DataTable
            caption={t('records')}
            columns={columns}
            rows={rows}
            rowKey={(row) => row.id}
            instead={list.isPending ? <SkeletonRows /> : rows.length ? undefined : <EmptyState title={t('noRecords')} body={t('noRecordsAbout')} />}
          />
          {list.hasNextPage ? <ListEnd hasMore={list.hasNextPage} loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} /> : null}
        </>
      )}
    </section>
  )
}

function RecordCode({ row }: { readonly row: NumberRow }) {
  const t = useTexts(numberTexts)
  if (row.code) {
    return (
      <span className="inline-flex items-center gap-1 whitespace-nowrap">
        <b className="num">{formatMessageCode(row.code)}</b>
        <CopyButton text={row.code} label={t('copyCode')} iconOnly className="!size-8 mobile:!size-11" />
      </span>
    )
  }
  if (row.state === 'received') return <span className="text-13 text-fg-2">{row.message ? t('state_received') : t('hiddenCode')}</span>
  return <span className="text-13 text-fg-2">{t(NUMBERS_STATE_TEXT[row.state])}</span>
}

/** Plays a short sound when a code arrives while the page waits; never for codes that were there before, or if the browser forbids sound. */
function useChime(row: NumberRow | null | undefined): void {
  const before = useRef<{ readonly id: string; readonly count: number }>(undefined)
  const id = row?.id
  const count = row?.messages.length ?? 0
  useEffect(() => {
    if (!id) return
    const known = before.current
    before.current = { id, count }
    if (known?.id === id && count > known.count) playChime()
  }, [id, count])
}

function playChime(): void {
  try {
    const audio = new AudioContext()
    const [tone, volume] = [audio.createOscillator(), audio.createGain()]
    tone.frequency.setValueAtTime(880, audio.currentTime)
    tone.frequency.setValueAtTime(1320, audio.currentTime + 0.09)
    volume.gain.setValueAtTime(0.08, audio.currentTime)
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.3)
    tone.connect(volume).connect(audio.destination)
    tone.start()
    tone.stop(audio.currentTime + 0.3)
    tone.addEventListener('ended', () => void audio.close())
  } catch {
    // Without sound, the page still shows the code
  }
}

/** Shortcuts: C copies the code, or the number before it arrives; N takes another number. Inactive in fields and while a dialog is open. */
function useNumberKeys(keys: { readonly row: NumberRow; readonly onOther: () => void }): void {
  const t = useTexts(numberTexts)
  const now = useRef({ ...keys, t })
  useEffect(() => {
    now.current = { ...keys, t }
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const from = event.target as HTMLElement
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || from.closest('input, textarea, select, [role=dialog]')) return
      if (document.querySelector('[role=dialog], [role=alertdialog]')) return
      const { row, onOther } = now.current
      if (event.key.toLowerCase() === 'n') onOther()
      if (event.key.toLowerCase() === 'c' && (row.code || row.number)) {
        void copyText(row.code || row.number).then((done) => (done ? toast.success(`${now.current.t(row.code ? 'copyCode' : 'copyNumber')} ✓`) : undefined))
      }
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/** /sms: choose a service, wait for the code, and see all past numbers. */
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
