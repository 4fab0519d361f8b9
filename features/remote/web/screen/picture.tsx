import { Keyboard, Scan } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { RefObject, ReactNode } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { remoteTexts } from '../../texts.ts'
import { fitRemoteSize, FULL_VIEW, isCommandKey, buildKeyMessage, buildKeyPress, buildTextMessages } from './input.ts'
import { usePointer } from './use-pointer.ts'
import type { RemoteLinkView } from './use-link.ts'
import type { RemotePageMessage } from '../../wire.ts'

const LONG_PRESS_MS = 1_000
/** The field always contains a character to delete: an empty one reports no backspace on a phone. */
const FILLER = ' '
const isMac = () => /Mac/.test(navigator.platform)

/** Reads keys from an invisible field: input methods compose in it, and composed text is sent whole. Holding Esc for a second leaves it. */
function useKeyboard(field: RefObject<HTMLTextAreaElement | null>, send: (wish: RemotePageMessage) => void): { readonly hasKeys: boolean } {
  const [hasKeys, setHasKeys] = useState(false)
  useEffect(() => {
    const at = field.current
    if (!at) return
    const told = new AbortController()
    const on: On = (name, work) => at.addEventListener(name, work as EventListener, { signal: told.signal })
    const release = listenToKeys(at, on, send)
    listenToText(at, on, send)
    on('focus', () => setHasKeys(true))
    on('blur', () => {
      release()
      setHasKeys(false)
    })
    return () => {
      release()
      told.abort()
    }
  }, [field, send])
  return { hasKeys }
}

type Send = (wish: RemotePageMessage) => void
type On = <K extends keyof HTMLElementEventMap>(name: K, work: (event: HTMLElementEventMap[K]) => void) => void

/** Handles keys that no input method composes. Returns a function that forgets a held Esc. */
function listenToKeys(at: HTMLTextAreaElement, on: On, send: Send): () => void {
  const mac = isMac()
  let held: ReturnType<typeof setTimeout> | undefined
  const press = (key: 'Backspace' | 'Escape') => buildKeyPress(key).forEach(send)
  on('keydown', (event) => {
    if (event.key === 'Escape' && !event.isComposing) {
      event.preventDefault()
      if (!event.repeat) held = setTimeout(() => at.blur(), LONG_PRESS_MS)
      return
    }
    // Let the browser paste by itself, as the user's shortcut requested
    if (isCommandKey(event, 'v')) return
    const wish = buildKeyMessage(event, 'keyDown', mac)
    if (!wish) return
    event.preventDefault()
    // Copy before cutting: the selection is gone afterwards
    if (isCommandKey(event, 'x')) send({ do: 'take' })
    send(wish)
    if (isCommandKey(event, 'c')) send({ do: 'take' })
    if (isCommandKey(event, 'x')) press('Backspace')
  })
  on('keyup', (event) => {
    if (event.key === 'Escape' && held !== undefined) {
      clearTimeout(held)
      held = undefined
      if (document.activeElement === at) press('Escape')
      return
    }
    const wish = buildKeyMessage(event, 'keyUp', mac)
    if (wish && !isCommandKey(event, 'v')) send(wish)
  })
  return () => {
    clearTimeout(held)
    held = undefined
  }
}

/** Sends text from an input method, a phone's keyboard or the clipboard. */
function listenToText(at: HTMLTextAreaElement, on: On, send: Send): void {
  const text = (value: string) => buildTextMessages(value).forEach(send)
  const clear = () => {
    at.value = FILLER
  }
  on('beforeinput', (event) => {
    if (event.isComposing || !event.inputType.startsWith('deleteContent')) return
    event.preventDefault()
    buildKeyPress('Backspace').forEach(send)
  })
  on('input', (event) => {
    const { isComposing, inputType, data } = event as InputEvent
    if (isComposing) return
    if (inputType === 'insertLineBreak') buildKeyPress('Enter').forEach(send)
    else if (inputType !== 'insertCompositionText') text(data ?? '')
    clear()
  })
  on('compositionend', ({ data }) => {
    text(data)
    clear()
  })
  on('paste', (event) => {
    event.preventDefault()
    text(event.clipboardData?.getData('text/plain') ?? '')
  })
  clear()
}

interface PictureProps {
  readonly link: RemoteLinkView
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly field: RefObject<HTMLTextAreaElement | null>
}

const SETTLED_MS = 300
/** Width of the remote page on a phone: wider than the screen, as sites would otherwise be squeezed; pinching zooms in. */
const PHONE_WIDTH = 800
const TIME_WARNING_MS = 120_000
const HINT_MS = 5_000

/** The picture with its pointer and keyboard input. Shows a focus ring while it has the keyboard. */
export function RemotePicture({ link, canvas, field }: PictureProps) {
  const t = useTexts(remoteTexts)
  const mobile = useIsMobile()
  const frame = useRef<HTMLDivElement>(null)
  const { state, send } = link
  const { hasKeys } = useKeyboard(field, send)
  const { view, fit } = usePointer({ frame, canvas, size: state.size, send, onPress: () => field.current?.focus({ preventScroll: true }) })
  useReportedSize(frame, link, mobile)
  return (
    <div ref={frame} className="relative min-h-0 flex-1 touch-none overflow-hidden bg-sunken">
      <canvas
        ref={canvas}
        role="img"
        aria-label={t('screenPicture')}
        width={state.size.width}
        height={state.size.height}
        className={`max-h-full max-w-full origin-top-left bg-white ${state.phase === 'live' ? '' : 'opacity-60'}`}
        style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
      />
      <textarea
        ref={field}
        aria-label={t('screenPicture')}
        autoCapitalize="off"
        autoCorrect="off"
        autoComplete="off"
        spellCheck={false}
        className="absolute bottom-2 left-2 h-6 w-40 resize-none border-0 bg-transparent p-0 text-16 leading-none opacity-0 outline-none"
      />
      {hasKeys ? <div className="pointer-events-none absolute inset-0 border-3 border-ink-accent" aria-hidden="true" /> : null}
      <Notes link={link} hasKeys={hasKeys} mobile={mobile} />
      {mobile ? (
        <div className="absolute right-3 bottom-3 flex gap-2">
          {view.scale > FULL_VIEW.scale ? (
            <RoundButton label={t('screenFit')} onPress={fit}>
              <Scan size={20} strokeWidth={1.75} aria-hidden="true" />
            </RoundButton>
          ) : null}
          <RoundButton label={t('screenKeyboard')} onPress={() => (hasKeys ? field.current?.blur() : field.current?.focus())}>
            <Keyboard size={20} strokeWidth={1.75} aria-hidden="true" />
          </RoundButton>
        </div>
      ) : null}
    </div>
  )
}

function RoundButton({ label, onPress, children }: { readonly label: string; readonly onPress: () => void; readonly children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={label}
      // The field keeps the focus while this is pressed
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPress}
      className="inline-flex size-12 items-center justify-center rounded-full bg-ink text-ink-fg shadow-dialog"
    >
      {children}
    </button>
  )
}

/** Resizes the remote page to our window once its size has settled. */
function useReportedSize(frame: RefObject<HTMLDivElement | null>, { send, state }: RemoteLinkView, mobile: boolean): void {
  const isLive = state.phase === 'live' && state.until !== undefined
  useEffect(() => {
    const at = frame.current
    if (!at || !isLive) return
    let settled: ReturnType<typeof setTimeout> | undefined
    const tell = () => {
      const { width, height } = at.getBoundingClientRect()
      if (!width || !height) return
      const wish = mobile ? { width: PHONE_WIDTH, height: (PHONE_WIDTH * height) / width } : { width, height }
      send({ do: 'size', ...fitRemoteSize(wish) })
    }
    const watch = new ResizeObserver(() => {
      clearTimeout(settled)
      settled = setTimeout(tell, SETTLED_MS)
    })
    watch.observe(at)
    return () => {
      clearTimeout(settled)
      watch.disconnect()
    }
  }, [frame, isLive, mobile, send])
}

/** Status line above the picture. The keyboard hint disappears after some seconds, so that it does not cover the page. */
function Notes({ link, hasKeys, mobile }: { readonly link: RemoteLinkView; readonly hasKeys: boolean; readonly mobile: boolean }) {
  const t = useTexts(remoteTexts)
  const { phase, pace, until, isUnreachable } = link.state
  const isShort = useIsTimeShort(until)
  const isHinted = useTemporaryHint(`${phase} ${String(hasKeys)}`)
  const isBusy = phase !== 'live' || until === undefined
  const text =
    phase === 'lost'
      ? t('screenLost')
      : isBusy
        ? t('screenConnecting')
        : isUnreachable
          ? t('screenUnreachable')
          : isShort
            ? t('screenTwoMinutes')
            : pace !== undefined
              ? t('screenSlow', { fps: pace })
              : isHinted && !mobile
                ? t(hasKeys ? 'screenRelease' : 'screenPress')
                : ''
  return (
    <p
      role="status"
      className={`pointer-events-none absolute top-3 left-1/2 flex max-w-[calc(100%-24px)] -translate-x-1/2 items-center gap-2 rounded-control bg-ink px-3 py-1.5 text-13 text-ink-fg ${text ? '' : 'sr-only'}`}
    >
      {isBusy ? <span className="spinner" aria-hidden="true" /> : null}
      {text}
    </p>
  )
}

/** True for some seconds after something has changed. */
function useTemporaryHint(what: string): boolean {
  const [over, setOver] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setOver(what), HINT_MS)
    return () => clearTimeout(timer)
  }, [what])
  return over !== what
}

function useIsTimeShort(until: number | undefined): boolean {
  const [isShort, setIsShort] = useState(false)
  useEffect(() => {
    if (until === undefined) return
    const look = () => setIsShort(until - Date.now() < TIME_WARNING_MS)
    look()
    const timer = setInterval(look, 1000)
    return () => clearInterval(timer)
  }, [until])
  return isShort
}
