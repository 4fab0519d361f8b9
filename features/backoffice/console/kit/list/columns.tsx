import type { ReactNode } from 'react'
import { displayUsd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { CustomerLink } from '../customer-link.tsx'
import type { ListColumn } from './types.ts'

type Value = string | number | null
type FieldOf<R> = { [K in keyof R & string]: R[K] extends Value ? K : never }[keyof R & string]
type Layout<R> = Pick<ListColumn<R>, 'align' | 'mobile' | 'aside' | 'width'>

const exportOf = (value: unknown) => (value === null || value === undefined ? '' : String(value))

/** Columns that show a field of the row and export its value. Write any other column out, with its own `cell` and `csv`. */
export function createColumns<R>() {
  const define =
    (draw: (value: Value) => ReactNode, layout: Layout<R> = {}) =>
    <K extends FieldOf<R>>(key: K, header: string, more: Layout<R> = {}): ListColumn<R> => ({
      ...{ key, header, ...layout, ...more },
      cell: (row) => draw(row[key] as Value),
      csv: (row) => exportOf(row[key]),
    })
  return {
    /** Identifiers, contacts and counts. */
    num: define((value) => <span className="num">{value ?? '—'}</span>),
    usd: define((value) => <span className="num">{value === null ? '—' : displayUsd(String(value))}</span>, { align: 'right' }),
    time: define((value) => (value === null ? '—' : <Time at={value} />), { align: 'right' }),
    customer: define((value) => (value === null ? '—' : <CustomerLink userId={String(value)} />)),
  }
}
