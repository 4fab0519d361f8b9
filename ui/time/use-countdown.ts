import { useEffect, useRef, useState } from 'react'

/** Whole seconds until `until`, computed from the clock; calls `onEnd` once. */
export function useCountdown(until: number, onEnd?: () => void): number {
  const [seconds, setSeconds] = useState(() => countSecondsTo(until))
  const end = useRef(onEnd)
  useEffect(() => {
    end.current = onEnd
  })
  useEffect(() => {
    setSeconds(countSecondsTo(until))
    if (until <= Date.now()) {
      end.current?.()
      return
    }
    const timer = setInterval(() => {
      setSeconds(countSecondsTo(until))
      if (until > Date.now()) return
      clearInterval(timer)
      end.current?.()
    }, 1000)
    return () => clearInterval(timer)
  }, [until])
  return seconds
}

const countSecondsTo = (until: number) => Math.max(0, Math.ceil((until - Date.now()) / 1000))

/** 272 -> "04:32" */
export function formatClock(seconds: number): string {
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`
}
