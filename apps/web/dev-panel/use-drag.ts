import { useRef, useState, type PointerEvent } from 'react'

const THRESHOLD = 5
const KEY = 'mx.dev.at'
const SIZE = 44

interface Place {
  readonly x: number
  readonly y: number
}

function clampToView({ x, y }: Place): Place {
  return { x: Math.min(Math.max(0, x), innerWidth - SIZE), y: Math.min(Math.max(0, y), innerHeight - SIZE) }
}

function readStoredPlace(): Place {
  try {
    return clampToView(JSON.parse(sessionStorage.getItem(KEY) ?? '') as Place)
  } catch {
    return { x: 12, y: innerHeight - 180 }
  }
}

/** A thing that can be dragged about; less than five pixels is a press (product.md 1.2). */
export function useDrag(onPress: () => void) {
  const [place, setPlace] = useState(readStoredPlace)
  const start = useRef<{ readonly at: Place; readonly from: Place; moved: boolean }>(undefined)
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      start.current = { at: { x: event.clientX, y: event.clientY }, from: place, moved: false }
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const drag = start.current
      if (!drag) return
      const dx = event.clientX - drag.at.x
      const dy = event.clientY - drag.at.y
      if (!drag.moved && Math.hypot(dx, dy) < THRESHOLD) return
      drag.moved = true
      setPlace(clampToView({ x: drag.from.x + dx, y: drag.from.y + dy }))
    },
    onPointerUp: () => {
      if (start.current?.moved) sessionStorage.setItem(KEY, JSON.stringify(place))
    },
    // After pointerup, and for the keyboard.
    onClick: () => {
      const moved = start.current?.moved
      start.current = undefined
      if (!moved) onPress()
    },
  }
  return { place, handlers }
}
