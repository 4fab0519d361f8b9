import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { RemotePageMessage } from '../../wire.ts'
import { readMouseButton, readModifiers, pinchView, mapPointToRemote, FULL_VIEW } from './input.ts'
import type { ScreenSize, ZoomView } from './input.ts'

interface PointerOptions {
  /** Element that receives pointer events; it contains the canvas. */
  readonly frame: RefObject<HTMLDivElement | null>
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly size: ScreenSize
  readonly send: (wish: RemotePageMessage) => void
  /** Called on a mouse press, to take the keyboard focus. */
  readonly onPress: () => void
}

const MOVE_MS = 16
const TAP_PIXELS = 10
const DOUBLE_MS = 400
type ActiveTouches = ReadonlyMap<number, PointerEvent>

/** Passes mouse and wheel on. On a touch screen a tap clicks, one finger scrolls, and two fingers zoom the local view only. */
export function usePointer(hand: PointerOptions): { readonly view: ZoomView; readonly fit: () => void } {
  const [view, setView] = useState<ZoomView>(FULL_VIEW)
  const now = useRef({ ...hand, view })
  useEffect(() => {
    now.current = { ...hand, view }
  })
  useEffect(() => {
    const at = hand.frame.current
    if (!at) return
    const told = new AbortController()
    const options = { signal: told.signal, passive: false }
    const on = <K extends keyof HTMLElementEventMap>(name: K, work: (event: HTMLElementEventMap[K]) => void) =>
      at.addEventListener(name, work as EventListener, options)
    const place = (event: { clientX: number; clientY: number }) =>
      mapPointToRemote(now.current.canvas.current!.getBoundingClientRect(), now.current.size, event)
    const mouse = createMouseHandlers(now, place)
    const touch = createTouchHandlers(now, place, setView)
    const isTouch = (event: PointerEvent) => event.pointerType === 'touch'
    on('pointerdown', (event) => {
      // A button's icon is not an HTMLElement
      if (event.target instanceof Element && event.target.closest('button')) return
      at.setPointerCapture(event.pointerId)
      if (isTouch(event)) touch.down(event)
      else {
        event.preventDefault()
        now.current.onPress()
        mouse.down(event)
      }
    })
    on('pointermove', (event) => (isTouch(event) ? touch.move(event) : mouse.move(event)))
    on('pointerup', (event) => (isTouch(event) ? touch.up(event) : mouse.up(event)))
    on('pointercancel', (event) => touch.up(event, true))
    on('contextmenu', (event) => event.preventDefault())
    on('wheel', (event) => {
      event.preventDefault()
      const lines = event.deltaMode === 1 ? 20 : 1
      const limit = (value: number) => Math.min(5000, Math.max(-5000, value * lines))
      now.current.send({ do: 'wheel', ...place(event), dx: limit(event.deltaX), dy: limit(event.deltaY), modifiers: readModifiers(event) })
    })
    return () => told.abort()
  }, [hand.frame])
  return { view, fit: () => setView(FULL_VIEW) }
}

type CurrentPointer = { readonly current: PointerOptions & { readonly view: ZoomView } }
type MapPoint = (event: { clientX: number; clientY: number }) => { x: number; y: number }

function createMouseHandlers(now: CurrentPointer, place: MapPoint) {
  let last = { at: 0, x: 0, y: 0, count: 0 }
  let movedAt = 0
  const tell = (event: PointerEvent, type: 'mousePressed' | 'mouseReleased' | 'mouseMoved', clickCount: number) =>
    now.current.send({
      do: 'mouse',
      type,
      ...place(event),
      button: type === 'mouseMoved' ? 'none' : readMouseButton(event.button),
      buttons: event.buttons & 7,
      clickCount,
      modifiers: readModifiers(event),
    })
  return {
    down: (event: PointerEvent) => {
      const isAgain = event.timeStamp - last.at < DOUBLE_MS && Math.hypot(event.clientX - last.x, event.clientY - last.y) < 5
      last = { at: event.timeStamp, x: event.clientX, y: event.clientY, count: isAgain ? Math.min(3, last.count + 1) : 1 }
      tell(event, 'mousePressed', last.count)
    },
    move: (event: PointerEvent) => {
      if (event.timeStamp - movedAt < MOVE_MS) return
      movedAt = event.timeStamp
      tell(event, 'mouseMoved', 0)
    },
    up: (event: PointerEvent) => tell(event, 'mouseReleased', last.count),
  }
}

function createTouchHandlers(now: CurrentPointer, place: MapPoint, setView: (change: (view: ZoomView) => ZoomView) => void) {
  const fingers = new Map<number, PointerEvent>()
  let start: PointerEvent | undefined
  let isDrag = false
  const between = (all: ActiveTouches) => {
    const [one, two] = [...all.values()] as [PointerEvent, PointerEvent]
    const box = now.current.frame.current!.getBoundingClientRect()
    return {
      distance: Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY),
      x: (one.clientX + two.clientX) / 2 - box.left,
      y: (one.clientY + two.clientY) / 2 - box.top,
    }
  }
  return {
    down: (event: PointerEvent) => {
      fingers.set(event.pointerId, event)
      isDrag = fingers.size > 1
      start = fingers.size === 1 ? event : undefined
    },
    move: (event: PointerEvent) => {
      const before = fingers.get(event.pointerId)
      if (!before) return
      if (fingers.size === 2) {
        const from = between(fingers)
        fingers.set(event.pointerId, event)
        const to = between(fingers)
        const frame = now.current.frame.current!.getBoundingClientRect()
        return setView((view) => pinchView(view, frame, { from, to }))
      }
      if (start && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > TAP_PIXELS) isDrag = true
      if (!isDrag) return
      fingers.set(event.pointerId, event)
      const [a, b] = [place(before), place(event)]
      now.current.send({ do: 'wheel', ...b, dx: a.x - b.x, dy: a.y - b.y, modifiers: 0 })
    },
    up: (event: PointerEvent, isCancelled = false) => {
      const wasTap = fingers.size === 1 && !isDrag && !isCancelled
      fingers.delete(event.pointerId)
      if (!wasTap) return
      for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'] as const)
        now.current.send({
          do: 'mouse',
          type,
          ...place(event),
          button: type === 'mouseMoved' ? 'none' : 'left',
          buttons: type === 'mousePressed' ? 1 : 0,
          clickCount: type === 'mouseMoved' ? 0 : 1,
          modifiers: 0,
        })
    },
  }
}
