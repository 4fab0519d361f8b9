import { useEffect, useLayoutEffect, useRef, useState, type UIEvent } from 'react'
import { lastSeq } from './thread.ts'
import { useMarkRead } from './use-thread.ts'
import type { useThread } from './use-thread.ts'

const NEAR_PX = 80

/** Keeps the view at the end of a growing conversation; if the user has scrolled back, reports that there is more below. */
export function useEnd(thread: ReturnType<typeof useThread>['thread'], waiting: number) {
  const paper = useRef<HTMLDivElement>(null)
  const [below, setBelow] = useState(false)
  const atEnd = useRef(true)
  const height = useRef(0)
  useMarkRead(below ? undefined : thread)

  const toEnd = () => {
    const box = paper.current
    if (!box) return
    box.scrollTop = box.scrollHeight
    atEnd.current = true
    setBelow(false)
  }
  const seq = lastSeq(thread)
  const first = thread?.messages[0]?.seq ?? 0
  // Keep the position while the user reads back; follow at the end.
  useLayoutEffect(() => {
    const box = paper.current
    if (!box) return
    if (atEnd.current) box.scrollTop = box.scrollHeight
    else if (height.current && first) box.scrollTop += box.scrollHeight - height.current
    height.current = box.scrollHeight
  }, [first])
  useLayoutEffect(() => {
    if (atEnd.current) toEnd()
    else if (seq) setBelow(true)
    height.current = paper.current?.scrollHeight ?? 0
  }, [seq, waiting])
  useEffect(() => {
    const box = paper.current
    if (!box) return
    const keepEnd = new ResizeObserver(() => {
      if (atEnd.current) box.scrollTop = box.scrollHeight
    })
    keepEnd.observe(box)
    return () => keepEnd.disconnect()
  }, [])
  const onScroll = (event: UIEvent<HTMLDivElement>) => {
    const box = event.currentTarget
    atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX
    if (atEnd.current) setBelow(false)
  }
  return { paper, below, toEnd, onScroll }
}
