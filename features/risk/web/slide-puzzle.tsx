import { ChevronsRight, RefreshCw } from 'lucide-react'
import { useEffect, useRef, type PointerEvent } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { riskTexts } from '../texts.ts'
import { retryCaptcha, type CaptchaNotice, type SlideChallenge } from './captcha-flow.ts'
import { useSlide } from './use-slide.ts'

const HANDLE = 56

/** The picture, its piece, and the slider below; every length is a share of the picture's width, so that it fits any phone. */
export function SlidePuzzle({ challenge, notice }: { readonly challenge: SlideChallenge; readonly notice: CaptchaNotice | undefined }) {
  const t = useTexts(riskTexts)
  const slide = useSlide(challenge)
  const handle = useRef<HTMLDivElement>(null)
  const track = useRef<HTMLDivElement>(null)
  const grabbed = useRef<{ at: number; x: number } | undefined>(undefined)
  const share = slide.x / slide.max
  const busy = slide.state === 'checking'

  // A new picture asks for the next move right away.
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
