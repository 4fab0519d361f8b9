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

interface CountdownProps {
  /** End time in milliseconds. */
  readonly until: number
  /** Total seconds; the bar is full at the start. */
  readonly of: number
  readonly label: string
  /** 42 → "42 秒后遮住". Announced at half, at a minute and at the end only. */
  readonly say: (seconds: number) => string
  readonly onEnd?: () => void
}

/** Remaining time: a bar and the seconds, computed from the clock. It never blinks and never turns red. */
export function Countdown({ until, of, label, say, onEnd }: CountdownProps) {
  const seconds = useCountdown(until, onEnd)
  const share = Math.min(1, seconds / of)
  const spoken = seconds === Math.floor(of / 2) || seconds === 60 || seconds === 0
  return (
    <div className="flex items-center gap-2 text-13">
      <span className="shrink-0 text-fg-2">{label}</span>
      <span className="h-1 min-w-8 flex-1 overflow-hidden rounded-full bg-line" aria-hidden="true">
        <span
          className={`block h-full rounded-full transition-[width] duration-1000 ease-linear ${share < 0.1 ? 'bg-warning' : 'bg-brand'}`}
          style={{ width: `${share * 100}%` }}
        />
      </span>
      <span className="tabular shrink-0" role="timer" aria-live="off">
        {say(seconds)}
      </span>
      <span className="sr-only" role="status">
        {spoken ? say(seconds) : ''}
      </span>
    </div>
  )
}
