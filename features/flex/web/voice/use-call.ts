import { useEffect, useMemo, useState } from 'react'
import { createVoiceCall, SILENT_LEVELS } from './call.ts'
import type { CallView } from './call.ts'

const POLL_MS = 2_000
const LEVEL_MS = 200

/** A call and what it looks like now. It ends with the page that it stands on. */
export function useVoiceCall(tokenOf: () => Promise<string>, places: number) {
  const [sight, setSight] = useState<CallView>({ phase: 'out', people: [], levels: SILENT_LEVELS, muted: false })
  const call = useMemo(() => createVoiceCall({ tokenOf, places, see: (more) => setSight((old) => ({ ...old, ...more })) }), [tokenOf, places])
  useEffect(() => {
    const timers = [setInterval(() => void call.poll(), POLL_MS), setInterval(() => void call.listen(), LEVEL_MS)]
    addEventListener('pagehide', call.bye)
    return () => {
      for (const timer of timers) clearInterval(timer)
      removeEventListener('pagehide', call.bye)
      if (call.isLive()) call.end('left')
    }
  }, [call])
  return { ...sight, join: call.join, mute: call.mute, leave: () => call.end('left') }
}
