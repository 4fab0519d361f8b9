import { useConsoleFormatter } from './format.ts'

/** Data of an audit row on one line, without `changes`: the sheet shows those in a table. */
export function DataLine({ data, className = '' }: { readonly data: Readonly<Record<string, unknown>>; readonly className?: string }) {
  const say = useConsoleFormatter()
  const { changes: _changes, ...rest } = data
  const words = say.data(rest).map(([name, value]) => `${name} ${value}`)
  return <span className={`block truncate text-12 text-fg-2 ${className}`}>{words.length ? words.join(' · ') : '—'}</span>
}
