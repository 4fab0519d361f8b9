import { useEffect, useRef, useState } from 'react'
import { copyText } from '#platform/web/clipboard.ts'

const FLIP_MS = 2_000
export type CopyState = 'idle' | 'copied' | 'failed'

/** Copies, then says so for two seconds. */
export function useCopy(): readonly [CopyState, (text: string) => void] {
  const [state, setState] = useState<CopyState>('idle')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = (text: string) => {
    void copyText(text).then((done) => {
      setState(done ? 'copied' : 'failed')
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setState('idle'), FLIP_MS)
    })
  }
  return [state, copy]
}
