import { CSPProvider } from '@base-ui/react/csp-provider'
import { useEffect, useRef, useState } from 'react'
import { QueryProvider } from '#platform/web/calls/query.tsx'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useSupport } from '#platform/web/state/support.ts'
import { useTitle } from '#platform/web/title.ts'
import { remoteTexts } from '../../texts.ts'
import { useRemoteCount, useRemoteSession, useRemoteRecords, useRemoteRefresh } from '../use-remote.ts'
import { FilesCard } from './files-card.tsx'
import type { OpenPanels } from './panels.ts'
import { RemotePicture } from './picture.tsx'
import { TabsBar } from './tabs-bar.tsx'
import { RemoteTopBar } from './top-bar.tsx'
import { useRemoteLink } from './use-link.ts'
import type { RemoteLinkView } from './use-link.ts'
import { Languages, X } from 'lucide-react'
import { Button, getButtonClass } from '#ui/button.tsx'
import { resolveOverReason } from '../../wire.ts'
import type { OverReason } from '../../wire.ts'
import { buildKeyPress, buildTextMessages } from './input.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { ReceiptRow, Receipt, ReceiptRule } from '#ui/receipt.tsx'
import type { RemoteSession } from '../../contract.ts'
import { Link } from '@tanstack/react-router'
import { Skeleton } from '#ui/skeleton.tsx'
import type { TextKeyOf } from '#platform/shared/texts.ts'

const SCREEN_OVER_TEXT = {
  replaced: 'screenOver_replaced',
  gone: 'screenOver_gone',
  time_up: 'screenOver_time_up',
  stopped: 'screenOver_stopped',
  too_heavy: 'screenOver_too_heavy',
  broke: 'screenOver_broke',
} as const satisfies Record<OverReason, TextKeyOf<typeof remoteTexts>>

/** Receipt of an ended session, or a button to take the picture back from another page. */
function EndReceipt({ link }: { readonly link: RemoteLinkView }) {
  const t = useTexts(remoteTexts)
  const told = link.state.reason ?? 'gone'
  const refresh = useRemoteRefresh()
  useEffect(() => refresh(), [told, refresh])
  const { data } = useRemoteRecords()
  const last = data?.pages[0]?.rowList.find(({ product }) => product === 'session')
  // A page opened after the end receives no reason; the record contains it
  const reason = told === 'gone' && last?.deliveredTime && last.finishedTime ? resolveOverReason(last.cause) : told
  const isElsewhere = reason === 'replaced'
  return (
    <Receipt look="inline" label={t('remoteTitle')} className="w-full max-w-[460px]">
      <p className="text-16 font-bold" role="status">
        {t(SCREEN_OVER_TEXT[reason])}
      </p>
      <ReceiptRule />
      {isElsewhere ? (
        <Button size="lg" block onClick={link.again}>
          {t('screenHere')}
        </Button>
      ) : (
        <>
          {last ? <Lines task={last} /> : <Skeleton className="h-20" />}
          <ReceiptRule />
          <Link to="/remote" className={getButtonClass('primary', 'lg', 'w-full')}>
            {t('screenLeave')}
          </Link>
        </>
      )}
    </Receipt>
  )
}

function Lines({ task }: { readonly task: NonNullable<ReturnType<typeof useRemoteRecords>['data']>['pages'][number]['rowList'][number] }) {
  const t = useTexts(remoteTexts)
  const { deliveredTime, finishedTime } = task
  const minutes = deliveredTime && finishedTime ? Math.max(1, Math.ceil((Date.parse(finishedTime) - Date.parse(deliveredTime)) / 60_000)) : 0
  return (
    <>
      <ReceiptRow label={t('remoteWhen')} value={displayTime(deliveredTime ?? task.createdTime)} />
      <ReceiptRow label={t('screenUsed')} value={t('screenUsedMinutes', { minutes })} />
      <ReceiptRow label={t('remoteState')} value={task.causeName || task.stateName} />
      <ReceiptRow
        strong
        label={t('remoteCharged')}
        value={task.free === 'no' ? displayUsd(task.charged) : t('remoteFree')}
        {...(task.returned === '0' ? {} : { note: t('remoteReturned', { amount: displayUsd(task.returned) }) })}
      />
    </>
  )
}

/** Clipboard: text is copied only on a click, never automatically; below it the cost and the connection quality. */
function ClipPanel({ link, session }: { readonly link: RemoteLinkView; readonly session: RemoteSession | undefined }) {
  const t = useTexts(remoteTexts)
  const [text, setText] = useState('')
  const { taken, size, fps, delay } = link.state
  return (
    <aside
      aria-label={t('screenClip')}
      className="flex w-[312px] shrink-0 flex-col gap-5 overflow-y-auto border-l border-line bg-surface p-5 mobile:max-h-[45vh] mobile:w-full mobile:border-t mobile:border-l-0"
    >
      <section aria-labelledby="clip-in">
        <h2 id="clip-in" className="mb-2 text-14 font-semibold">
          {t('screenIn')}
        </h2>
        <textarea
          aria-labelledby="clip-in"
          placeholder={t('screenInHint')}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="input h-20 w-full resize-none py-2"
        />
        <div className="mt-2 flex justify-end">
          <Button size="sm" disabled={!text} onClick={() => buildTextMessages(text).forEach(link.send)}>
            {t('screenPaste')}
          </Button>
        </div>
      </section>
      <section aria-labelledby="clip-out">
        <h2 id="clip-out" className="mb-2 text-14 font-semibold">
          {t('screenOut')}
        </h2>
        <p className="min-h-20 rounded-control border border-line bg-sunken px-3 py-2 text-14 whitespace-pre-wrap [overflow-wrap:anywhere]" aria-live="polite">
          {taken?.text || <span className="text-fg-3">{t(taken ? 'screenTookNone' : 'screenOutHint')}</span>}
        </p>
        <div className="mt-2 flex flex-wrap items-center gap-2">
          <span className="mr-auto text-12 text-fg-3">
            {taken?.text ? t('screenTook', { time: displayTime(new Date(taken.at).toISOString()).slice(11) }) : ''}
          </span>
          <Button size="sm" variant="secondary" onClick={() => link.send({ do: 'take' })}>
            {t('screenTake')}
          </Button>
          {taken?.text ? <CopyButton text={taken.text} /> : null}
        </div>
      </section>
      <section aria-labelledby="clip-erase" className="mt-auto border-t border-dashed border-line pt-4">
        <h2 id="clip-erase" className="text-14 font-semibold">
          {t('screenErase')}
        </h2>
        <p className="mt-1 mb-3 text-13 text-fg-2">{t('screenEraseAbout')}</p>
        {session ? <ReceiptRow label={t('screenCost')} value={session.isFree ? t('screenCostFree') : displayUsd(session.amount)} /> : null}
        <ReceiptRow label={t('screenFrames')} value={t('screenFps', { width: size.width, height: size.height, fps })} />
        <ReceiptRow label={t('screenDelay')} value={delay === undefined ? '…' : `${delay} ms`} />
      </section>
    </aside>
  )
}

/** Text bar: text is composed with the local input method and sent whole with Enter; Enter in an empty bar sends Enter. */
function TypeBar({ link, onClose }: { readonly link: RemoteLinkView; readonly onClose: () => void }) {
  const t = useTexts(remoteTexts)
  const mobile = useIsMobile()
  const [text, setText] = useState('')
  const send = () => {
    for (const wish of text ? buildTextMessages(text) : buildKeyPress('Enter')) link.send(wish)
    setText('')
  }
  return (
    <form
      aria-label={t('screenType')}
      className="flex h-[60px] shrink-0 items-center gap-3 border-t border-line bg-surface px-5 mobile:px-3"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <label htmlFor="type-chinese" className="flex shrink-0 items-center gap-2 text-14 font-semibold">
        <Languages size={18} strokeWidth={1.75} aria-hidden="true" />
        <span lang="zh">{t('screenTypeLabel')}</span>
      </label>
      <input
        id="type-chinese"
        value={text}
        placeholder={t('screenTypeHere')}
        onChange={(event) => setText(event.target.value)}
        autoComplete="off"
        className="input w-[400px] shrink mobile:w-full"
      />
      <Button type="submit" size="sm" variant="secondary" className="shrink-0">
        {t('screenSend')}
      </Button>
      {mobile ? null : <p className="min-w-0 flex-1 truncate text-13 text-fg-3">{t('screenTypeDirect')}</p>}
      <button type="button" className="icon-btn shrink-0" aria-label={t('screenTypeClose')} title={t('screenTypeClose')} onClick={onClose}>
        <X size={18} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </form>
  )
}

/** /remote/screen: the remote browser in a separate window. */
export function RemoteScreen() {
  return (
    <QueryProvider>
      <CSPProvider disableStyleElements>
        <LiveScreen />
      </CSPProvider>
    </QueryProvider>
  )
}

function LiveScreen() {
  const t = useTexts(remoteTexts)
  const mobile = useIsMobile()
  useTitle(t('remoteTitle'))
  useFullWindow()
  const canvas = useRef<HTMLCanvasElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const link = useRemoteLink(canvas)
  const { data: live } = useRemoteSession()
  const { data: stat } = useRemoteCount()
  const [panels, setPanels] = useState<OpenPanels>({ clip: !mobile, type: !mobile })
  const toggle = (name: keyof OpenPanels) => setPanels((now) => ({ ...now, [name]: !now[name] }))
  const { phase } = link.state
  const session = live?.session ?? undefined
  return (
    <div className="fixed inset-0 flex flex-col bg-ink">
      <RemoteTopBar link={link} session={session} stat={stat} panels={panels} onToggle={toggle} />
      {phase === 'over' ? (
        <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 items-start justify-center overflow-y-auto bg-bg p-10 outline-none mobile:p-5">
          <EndReceipt link={link} />
        </main>
      ) : (
        <>
          <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 outline-none mobile:flex-col">
            <div className="flex min-w-0 flex-1 flex-col">
              <TabsBar link={link} />
              <div className="relative flex min-h-0 flex-1 flex-col">
                <RemotePicture link={link} canvas={canvas} field={field} />
                <FilesCard link={link} />
              </div>
            </div>
            {panels.clip ? <ClipPanel link={link} session={session} /> : null}
          </main>
          {panels.type ? <TypeBar link={link} onClose={() => toggle('type')} /> : null}
        </>
      )}
    </div>
  )
}

/** No element floats above the picture, and no space is reserved for a scrollbar. */
function useFullWindow(): void {
  useEffect(() => {
    const { style } = document.documentElement
    useSupport.setState({ hasPlace: true })
    style.scrollbarGutter = 'auto'
    return () => {
      useSupport.setState({ hasPlace: false })
      style.scrollbarGutter = ''
    }
  }, [])
}
