import { CircleAlert, CircleCheck, ChevronsRight, RefreshCw } from 'lucide-react'
import { useEffect, useRef, useCallback, useState } from 'react'
import type { ReactNode, PointerEvent } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { riskTexts } from '../texts.ts'
import { retryCaptcha, closeCaptcha, isPopupOpen, serveCaptcha, useCaptchaFlow, passCaptcha } from './captcha-flow.ts'
import type { CaptchaView, CaptchaNotice, SlideChallenge } from './captcha-flow.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { riskApi } from './risk-api.ts'

const STEP = 6
const FINE = 1
const PAGE = 30
/** The server accepts at most 400 points; a longer drag overwrites the last one with its newest. */
const MAX_TRAIL = 390

/** Moves the piece by pointer or keys, records its path, and submits its position. */
function useSlide(challenge: SlideChallenge) {
  const max = challenge.width - challenge.pieceSize
  const [x, setX] = useState(0)
  const [state, setState] = useState<'ready' | 'moving' | 'checking' | 'wrong'>('ready')
  const [triesLeft, setTriesLeft] = useState<number>()
  const [failure, setFailure] = useState<string>()
  const way = useRef<[number, number][]>([])
  const startedAt = useRef(0)

  useEffect(() => {
    const timer = setTimeout(() => retryCaptcha('slide', 'captcha.retryTips'), Math.max(0, challenge.expiresInSeconds - 5) * 1000)
    return () => clearTimeout(timer)
  }, [challenge])

  const move = useCallback(
    (to: number) => {
      const next = Math.min(max, Math.max(0, to))
      if (!way.current.length) {
        startedAt.current = performance.now()
        way.current.push([0, 0])
      }
      const point: [number, number] = [Math.round(performance.now() - startedAt.current), Math.round(next * 10) / 10]
      if (way.current.length < MAX_TRAIL) way.current.push(point)
      else way.current[way.current.length - 1] = point
      setX(point[1])
      setState('moving')
      setFailure(undefined)
    },
    [max],
  )

  const put = useCallback(async () => {
    const trail = way.current
    way.current = []
    if (!trail.length) return
    setState('checking')
    try {
      const verdict = await riskApi.moveSlide({ id: challenge.id, x: trail.at(-1)![1], trail })
      if (verdict.passed) return passCaptcha(verdict.param)
      if (verdict.triesLeft === 0) return retryCaptcha('slide', 'captcha.wrongNew')
      setTriesLeft(verdict.triesLeft)
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    }
    setX(0)
    setState('wrong')
  }, [challenge])

  /** Returns true if the key was handled. */
  const key = (name: string, fine: boolean): boolean => {
    const step = fine ? FINE : STEP
    const to: Readonly<Record<string, number>> = {
      ArrowRight: x + step,
      ArrowUp: x + step,
      ArrowLeft: x - step,
      ArrowDown: x - step,
      PageUp: x + PAGE,
      PageDown: x - PAGE,
      Home: 0,
      End: max,
    }
    if (name === 'Enter' || name === ' ') void put()
    else if (name in to) move(to[name]!)
    else return false
    return true
  }

  return { x, max, state, triesLeft, failure, move, put, key }
}

const HANDLE = 56

/** The picture, its piece, and the slider below; every length is a fraction of the picture's width, so that it fits any phone. */
function SlidePuzzle({ challenge, notice }: { readonly challenge: SlideChallenge; readonly notice: CaptchaNotice | undefined }) {
  const t = useTexts(riskTexts)
  const slide = useSlide(challenge)
  const handle = useRef<HTMLDivElement>(null)
  const track = useRef<HTMLDivElement>(null)
  const grabbed = useRef<{ at: number; x: number } | undefined>(undefined)
  const share = slide.x / slide.max
  const busy = slide.state === 'checking'

  // Focus the slider of a new picture for the next move.
  useEffect(() => handle.current?.focus({ preventScroll: true }), [])

  const grab = (event: PointerEvent<HTMLDivElement>) => {
    if (busy || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    grabbed.current = { at: event.clientX, x: 0 }
    slide.move(0)
  }
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!grabbed.current || !track.current) return
    const room = track.current.clientWidth - HANDLE
    slide.move(grabbed.current.x + ((event.clientX - grabbed.current.at) / room) * slide.max)
  }
  const drop = () => {
    if (!grabbed.current) return
    grabbed.current = undefined
    void slide.put()
  }
  const warning = slide.state === 'wrong' ? (slide.failure ?? t('captcha.wrong', { left: slide.triesLeft ?? 0 })) : notice ? t(notice) : undefined

  return (
    <div className="mx-auto w-full max-w-[374px] desktop:max-w-[312px]">
      <Picture challenge={challenge} x={slide.x} />
      <div ref={track} className="relative mt-3 h-11 overflow-hidden rounded-control border border-control bg-sunken">
        <div className="absolute inset-y-0 left-0 bg-brand-soft" style={{ width: `calc(${HANDLE}px + (100% - ${HANDLE}px) * ${share})` }} />
        <p
          className={`pointer-events-none absolute inset-y-0 right-3 flex items-center text-13 leading-4 text-fg-2 ${slide.x > 0 ? 'invisible' : ''}`}
          style={{ left: HANDLE + 12 }}
          aria-hidden="true"
        >
          {t('captcha.slide')}
        </p>
        <div
          ref={handle}
          role="slider"
          tabIndex={0}
          aria-label={t('captcha.handle')}
          aria-valuemin={0}
          aria-valuemax={slide.max}
          aria-valuenow={Math.round(slide.x)}
          aria-valuetext={t('captcha.position', { x: Math.round(slide.x), max: slide.max })}
          aria-describedby="captcha-help"
          aria-busy={busy}
          onPointerDown={grab}
          onPointerMove={drag}
          onPointerUp={drop}
          onPointerCancel={drop}
          onKeyDown={(event) => {
            if (!busy && slide.key(event.key, event.shiftKey)) event.preventDefault()
          }}
          className="absolute inset-y-0 flex cursor-grab touch-none items-center justify-center rounded-control bg-brand text-on-brand -outline-offset-4 outline-on-brand active:cursor-grabbing"
          style={{ width: HANDLE, left: `calc((100% - ${HANDLE}px) * ${share})` }}
        >
          {busy ? <span className="spinner" aria-hidden="true" /> : <ChevronsRight size={20} strokeWidth={1.75} aria-hidden="true" />}
        </div>
      </div>
      <div className="mt-2 min-h-5 text-13 leading-5">
        <p role="alert" className="text-danger">
          {warning}
        </p>
        <p id="captcha-help" className={warning ? 'sr-only' : 'text-fg-3 mobile:sr-only'}>
          {t('captcha.keys')}
        </p>
      </div>
      <OtherWays />
    </div>
  )
}

function Picture({ challenge, x }: { readonly challenge: SlideChallenge; readonly x: number }) {
  const t = useTexts(riskTexts)
  const { width, height, pieceSize, pieceTop } = challenge
  return (
    <div className="relative overflow-hidden rounded-control bg-sunken" style={{ aspectRatio: `${width} / ${height}` }}>
      <img src={challenge.picture} alt={t('captcha.picture')} width={width} height={height} draggable={false} className="size-full select-none" />
      <img
        src={challenge.piece}
        alt=""
        draggable={false}
        className="absolute drop-shadow-[0_1px_3px_rgb(0_0_0/0.55)] select-none"
        style={{ width: `${(pieceSize / width) * 100}%`, top: `${(pieceTop / height) * 100}%`, left: `${(x / width) * 100}%` }}
      />
    </div>
  )
}

function OtherWays() {
  const t = useTexts(riskTexts)
  return (
    <div className="mt-1 -mb-2 flex items-center justify-between gap-2">
      <button type="button" onClick={() => retryCaptcha('altcha')} className="link min-h-11 text-left text-14">
        {t('captcha.direct')}
      </button>
      <IconButton label={t('captcha.change')} onClick={() => retryCaptcha('slide')} className="-mr-2.5 shrink-0">
        <RefreshCw size={18} strokeWidth={1.75} aria-hidden="true" />
      </IconButton>
    </div>
  )
}

/** Mounted by the shell when the first captcha is requested or expected; usually renders nothing. */
export function CaptchaHost() {
  const t = useTexts(riskTexts)
  const view = useCaptchaFlow((state) => state.view)
  useEffect(() => serveCaptcha(), [])
  return (
    <>
      {view.at === 'slow' ? <SlowPill /> : null}
      <Dialog open={isPopupOpen(view)} onClose={closeCaptcha} title={t('captcha.title')} size="xs" above finalFocus={returnFocus}>
        <Body view={view} />
      </Dialog>
    </>
  )
}

/** The pressed button may be disabled while its call runs; then the dialog below takes focus itself. */
function returnFocus(): HTMLElement | boolean {
  const { from } = useCaptchaFlow.getState()
  return from instanceof HTMLElement && from.isConnected && !from.matches(':disabled') ? from : true
}

function Body({ view }: { readonly view: CaptchaView }) {
  const t = useTexts(riskTexts)
  switch (view.at) {
    case 'slide':
      return <SlidePuzzle key={view.challenge.id} challenge={view.challenge} notice={view.notice} />
    case 'failed':
      return <Failed message={view.message} onRetry={() => retryCaptcha(view.way)} onOther={() => retryCaptcha(view.way === 'slide' ? 'altcha' : 'slide')} />
    case 'passed':
      return (
        <Still>
          <CircleCheck size={32} strokeWidth={1.75} className="text-success" aria-hidden="true" />
          <p className="font-semibold">{t('captcha.passed')}</p>
        </Still>
      )
    case 'working':
      return (
        <Still>
          <span className="spinner text-28 text-brand-text" aria-hidden="true" />
          <p className="font-semibold">{t('captcha.working')}</p>
          <p className="text-14 text-fg-2">{t('captcha.workingBody')}</p>
        </Still>
      )
    default:
      return (
        <Still>
          <span className="spinner text-28 text-brand-text" aria-hidden="true" />
          <p className="text-14 text-fg-2">{t('captcha.loading')}</p>
        </Still>
      )
  }
}

/** As tall as the puzzle, so that the pop-up does not jump between its states. */
function Still({ children }: { readonly children: ReactNode }) {
  return (
    <div role="status" className="flex min-h-[268px] flex-col items-center justify-center gap-2 text-center">
      {children}
    </div>
  )
}

function SlowPill() {
  const t = useTexts(riskTexts)
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-10 z-3003 flex justify-center mobile:bottom-24">
      <span className="flex items-center gap-2.5 rounded-full bg-fg px-4 py-2 text-14 text-bg shadow-dialog">
        <span className="spinner" aria-hidden="true" />
        {t('captcha.working')}
      </span>
    </div>
  )
}

function Failed({ message, onRetry, onOther }: { readonly message: string | undefined; readonly onRetry: () => void; readonly onOther: () => void }) {
  const t = useTexts(riskTexts)
  return (
    <div role="alert" className="flex min-h-[268px] flex-col justify-between gap-5">
      <div className="flex flex-1 flex-col items-center justify-center text-center">
        <CircleAlert size={32} strokeWidth={1.75} className="text-warning" aria-hidden="true" />
        <p className="mt-2 font-semibold">{t('captcha.failed')}</p>
        <p className="mt-1 text-14 text-fg-2">{message ?? t('captcha.failedBody')}</p>
      </div>
      <div className="grid gap-2">
        <Button block onClick={onRetry}>
          {t('captcha.retry')}
        </Button>
        <div className="grid grid-cols-2 gap-2">
          <Button variant="secondary" onClick={onOther} className="px-2 whitespace-normal">
            {t('captcha.otherWay')}
          </Button>
          <a href={`mailto:${site.supportEmail}`} className={getButtonClass('secondary', 'md', 'px-2 whitespace-normal')}>
            {t('captcha.contact')}
          </a>
        </div>
      </div>
    </div>
  )
}
