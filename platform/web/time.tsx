import { toShanghaiDay, toShanghaiTime } from '#platform/shared/time.ts'

interface TimeProps {
  /** ISO text or milliseconds. */
  readonly at: string | number | Date
  readonly show?: 'day' | 'minute' | 'second'
  readonly className?: string
}

export function displayTime(at: string | number | Date, show: TimeProps['show'] = 'minute'): string {
  const instant = new Date(at)
  if (show === 'day') return toShanghaiDay(instant)
  return toShanghaiTime(instant).slice(0, show === 'minute' ? 16 : 19)
}

/** An instant on the users' calendar (Asia/Shanghai), machine-readable in `dateTime`. */
export function Time({ at, show, className }: TimeProps) {
  return (
    <time dateTime={new Date(at).toISOString()} className={`num ${className ?? ''}`}>
      {displayTime(at, show)}
    </time>
  )
}
